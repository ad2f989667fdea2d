"""`take5 play` at a table with time limits: how long one has, what the service does for who is late, and the way back."""

from __future__ import annotations

import re
from collections.abc import Callable
from typing import Any

import pytest

from engine import commands as c
from engine.times import Millis
from service.services import Services
from take5 import timing
from take5.client import Client
from tests.cli.conftest import Service
from tests.cli.test_play_rules import Table


@pytest.fixture
def timed(
    sign_up: Callable[..., Client], service: Service, services: Services
) -> Callable[..., tuple[Table, Callable[[], str]]]:
    """A table with a pace, and the word that is typed too late: it lets a minute pass, and the service answer."""
    clock, passed = services.play.clock, [0]

    def sit(**options: Any) -> tuple[Table, Callable[[], str]]:
        table = Table([sign_up("ada", "human")], 1, **{"pace": "blitz", **options})

        def late() -> str:
            (owed,) = table.ada.decisions(game=table.game)
            passed[0] += 60_000
            services.play.clock = lambda: Millis(clock() + passed[0])
            services.play.execute(table.game, c.Expire())
            served = table.ada.call("GET", f"/v1/games/{table.game}/decisions/{owed.key}")["answer"]
            service._work(table.game)
            return next(str(card) for card in owed.cards if card != served["card"])

        return table, late

    return sit


def test_each_question_says_how_long_one_has(timed: Callable[..., Any]) -> None:
    table, _ = timed()
    table.play()
    assert table.prompts[0] == "lay a card, 15 s left: "
    assert all(re.search(r", 1?[0-9] s left: $", prompt) for prompt in table.prompts)


def test_who_was_late_hears_what_the_service_did(timed: Callable[..., Any]) -> None:
    table, late = timed()
    shown = table.play(late)
    served = table.ada.call("GET", f"/v1/games/{table.game}/decisions/r1.t1.s0.card")["answer"]["card"]
    assert f"Too late: the service laid {served} for you." in shown
    assert "This decision" not in shown


def test_who_types_nothing_until_the_time_is_up_sees_what_has_become_of_the_table(
    timed: Callable[..., Any], monkeypatch: pytest.MonkeyPatch
) -> None:
    table, late = timed()
    elapsed = [0.0]
    monkeypatch.setattr("take5.timing.time.monotonic", lambda: elapsed[0])

    def asleep() -> str:
        late()
        elapsed[0] += 60
        return ""

    shown = table.play("", asleep)
    assert "Too late: the service laid" in shown
    assert table.prompts[1] == "lay a card, 15 s left: "
    assert shown.index("Too late") < shown.index("Round 1, turn 2")


def test_a_seat_that_is_away_is_told_the_way_back_and_whoever_answers_is_back(
    timed: Callable[..., Any],
) -> None:
    table, late = timed(away_after_timeouts=1)
    shown = table.play(late)
    assert "ada: has been late too often, and is played for until coming back" in shown
    assert "Any answer brings you back, and so does `back`." in shown
    assert "ada: is back" in shown


def test_who_is_away_and_asked_nothing_looks_on_or_comes_back(
    sign_up: Callable[..., Client],
) -> None:
    table = Table([sign_up(name, "human") for name in ("ada", "bob")], 0, ruleset="pro", first_drafter=1)
    table.ada.away(table.game)
    bob, table.others = table.others, []

    def back() -> str:
        table.others = bob
        return "back"

    shown = table.play("", "37", back)
    assert table.prompts[:3] == ["you are away: `back` returns you, Enter only looks on: "] * 3
    assert table.prompts[3].startswith("pick a card")
    assert "Type `back` to play on yourself" in shown
    assert "ada: is back" in shown


def test_a_pick_and_a_row_that_the_service_chose_are_told(timed: Callable[..., Any]) -> None:
    table, late = timed(ruleset="pro")
    assert "Too late: the service picked" in table.play(late)
    table, _ = timed(ruleset="jokers", on_timeout="random")
    table.ada.away(table.game)  # in this process the rest is played at once
    shown = table.play(EOFError)
    assert "You are away: the service laid J" in shown
    assert re.search(r"You are away: the service chose row [0-3] for you\.", shown)


@pytest.mark.parametrize(
    ("seconds", "words"),
    [(-3, "0 s"), (15, "15 s"), (89.6, "90 s"), (600, "10 min"), (7200, "2 h"), (86_400, "24 h")],
)
def test_a_length_of_time_is_no_more_exact_than_one_thinks_of_it(seconds: float, words: str) -> None:
    assert timing.span(seconds) == words


def test_the_greeting_says_the_pace(at: Callable[..., Any]) -> None:
    sentence = "You have 15 s to lay a card, 10 s to choose a row. Who is late"
    assert sentence in at("--option", "pace=blitz").output
    assert "to lay a card" not in at("--option", "pace=untimed").output
    limits = {"turn_ms": 60_000, "row_ms": 30_000, "draft_ms": 20_000, "bank_ms": 120_000}
    pro = timing.pace({"ruleset": "pro", "pace": limits})
    assert "30 s to choose a row, 20 s to pick a card, and beyond that 2 min in all." in pro


def test_a_decision_knows_how_long_one_has_by_the_service_s_clock(
    sign_up: Callable[..., Client],
) -> None:
    ada = sign_up("ada", "human")
    left: list[float | None] = []
    for pace in ("live", "untimed"):
        game = ada.create_game(ruleset="classic", seats=2, pace=pace)["id"]
        ada.seat_bot(game, 1)
        ada.start(game)
        left += [decision.left_s for decision in ada.decisions(game=game)]
    assert left == [pytest.approx(60, abs=5), None]
