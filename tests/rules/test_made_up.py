"""A rule set that nobody plays is one value more: everything that plays, tells or checks a game knows it then."""

from __future__ import annotations

import json
from typing import Any, Final

import pytest

from engine.compact import compact, read
from engine.files import events_file
from engine.log import redact
from engine.options import PointsEnd
from engine.replay import frames, rebuild, steps
from engine.resolve import resolve
from engine.rulesets import PRO_STAGES, RULESETS, RuleSet
from engine.simulate import simulate
from engine.verify import verify, verify_log
from engine.views import view
from tests.rules.lively import lively
from tests.rules.table import logged, played, started

END: Final = PointsEnd(20, "reached")
MADE_UP: Final[dict[str, RuleSet]] = {
    ruleset.name: ruleset
    for ruleset in (
        RuleSet(
            "long-rows", "Five rows, which the seventh card takes", END, max_seats=9, rows=5, row_limit=6
        ),
        RuleSet("short", "Three rows of three, six cards, two of them Jokers", END, 2, 5, 3, 3, 4, 2),
        RuleSet(
            "tiny-draft",
            "Five cards each, drafted",
            END,
            rows=3,
            dealt=5,
            deck="as_needed",
            stages=PRO_STAGES,
        ),
    )
}


@pytest.fixture(autouse=True, params=MADE_UP)
def ruleset(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> RuleSet:
    """The made-up rule set of a test."""
    monkeypatch.setitem(RULESETS, request.param, MADE_UP[request.param])
    return MADE_UP[request.param]


def options(rules: RuleSet) -> dict[str, Any]:
    """A table of it."""
    return {"ruleset": rules.name, "pace": "blitz", "row_policy": "ahead"}


def test_its_games_are_played_to_their_end_and_verify(ruleset: RuleSet) -> None:
    for seed in range(6):
        for play in (played, lively):
            done = play(seed, 2 + seed % 4, **options(ruleset))
            log = logged(done)
            assert done[-1].after.is_over
            assert verify(events_file(log)).outcome == "ok"
            for cut in [step.after.seq for step in done if not step.after.is_over][8::20]:
                assert verify_log(redact(log[:cut], 0)).outcome == "pending"


def test_its_replays_are_rebuilt(ruleset: RuleSet) -> None:
    for seed in range(3):
        log = logged(lively(seed, 3, **options(ruleset)))
        for viewer in (0, None):
            replay = read(json.loads(json.dumps(compact(redact(log, viewer)))))
            seen: Any = "public" if viewer is None else viewer
            assert replay.started is not None
            told = [one["view"] | {"head": ""} for one in frames(steps(log), seen, first=replay.started)]
            assert [one["view"] for one in frames(rebuild(replay), seen)] == told


def test_its_rows_grow_as_long_as_it_says_and_no_longer(ruleset: RuleSet) -> None:
    longest = 0
    for seed in range(8):
        for step in played(seed, 5, **options(ruleset)):
            assert len(step.after.rows) in (0, ruleset.rows)
            longest = max([longest, *map(len, step.after.rows)])
    assert longest == ruleset.row_limit


def test_its_view_says_all_that_differs(ruleset: RuleSet) -> None:
    shown = view(started(2, **options(ruleset)), 0, "")["rules"]
    assert shown["ruleset"] == ruleset.name
    assert (shown["row_limit"], shown["hand_size"], shown["jokers"]) == (
        ruleset.row_limit,
        ruleset.hand_size,
        ruleset.jokers,
    )
    assert resolve({"ruleset": ruleset.name, "seats": 2}).end == END


def test_its_turns_are_simulated(ruleset: RuleSet) -> None:
    first = list(range(10, 10 + ruleset.row_limit))
    rows = [first, *([50 + row] for row in range(ruleset.rows - 1))]
    made = simulate(ruleset, rows, [{"seat": 0, "card": 30}, {"seat": 1, "card": 31}], [])
    assert made.rows[0] == (30, 31)
    assert [(one.seat, one.cards) for one in made.captures] == [(0, tuple(first))]
