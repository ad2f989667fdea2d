"""What the service answered in a seat's place is checked: it is what the table's policy says, not what suits anybody."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine import commands as c, policies
from engine.decide import act
from engine.log import Envelope
from engine.rows import Mode
from engine.verify import verify_log
from engine.views import View
from tests.rules.retold import check_of
from tests.rules.table import Step, context, later, logged, seated


def late(seats: int = 3, **options: Any) -> list[Envelope]:
    """The log of a game in which everybody is late at every decision."""
    game = seated(seats, pace={"turn_ms": 1000, "row_ms": 1000}, end={"rounds": 2}, **options)
    done: list[Step] = []
    seconds = 0
    while not game.is_over:
        command = c.Expire() if done else c.StartGame("p0")
        state, events = act(game, command, context(seconds=seconds))
        done.append(Step(game, command, events, state, later(seconds)))
        game, seconds = state, seconds + 2
    return logged(done)


def dearest(view: View) -> tuple[int, Mode]:
    """The row with the most bullheads."""
    return max(range(4), key=lambda row: view["rows"][row]["bullheads"]), "take"


@pytest.mark.parametrize("away", [None, 1])
@pytest.mark.parametrize("policy", list(policies.CARD_POLICIES))
def test_a_game_of_which_the_service_played_all_verifies(policy: str, away: int | None) -> None:
    assert verify_log(late(on_timeout=policy, away_after_timeouts=away)).outcome == "ok"


@pytest.mark.parametrize(
    ("name", "another"),
    [
        ("CARD_POLICIES", policies.CARD_POLICIES | {"lowest_card": policies.highest_card}),
        ("cheapest_choice", dearest),
    ],
)
def test_another_answer_than_the_policy_s_is_found(
    name: str, another: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    with monkeypatch.context() as patched:
        patched.setattr(policies, name, another)
        log = late(on_timeout="lowest_card")
    rules = check_of(verify_log(log), "rules")
    assert rules.outcome == "failed"
    assert rules.seq is not None
    assert log[rules.seq - 1]["by"]["kind"] in ("timeout", "away")
