"""One turn as a pure function: the worked cases, every impossible position, and agreement with whole games."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any, Final

import pytest
from hypothesis import given

from engine import events as e
from engine.errors import Refusal
from engine.rulesets import RULESETS
from engine.simulate import Capture, Simulation, simulate
from tests.rules.chosen import games
from tests.rules.table import Step
from tests.searching import examples

VECTORS: list[dict[str, Any]] = [
    vector
    for line in (Path(__file__).parents[1] / "vectors" / "rules.jsonl").read_text().splitlines()
    if (vector := json.loads(line))["kind"] == "turn"
]
CLASSIC: Final = RULESETS["classic"]
JOKERS: Final = RULESETS["jokers"]
ROWS: Final = [[20], [30], [40], [50]]


def cases(field: str) -> pytest.MarkDecorator:
    """A test's table: the turns that have this field, by their ids."""
    chosen = [vector for vector in VECTORS if field in vector]
    return pytest.mark.parametrize("case", chosen, ids=[vector["id"] for vector in chosen])


def seat(player: str) -> int:
    return ord(player) - ord("A")


def turn_of(case: dict[str, Any]) -> Simulation:
    """The case as it is simulated."""
    plays = [{"seat": seat(player), "card": card} for player, card in case["plays"].items()]
    choices = [
        {"seat": seat(player), **(made if isinstance(made, dict) else {"row": made})}
        for player, made in case.get("choices", {}).items()
    ]
    return simulate(RULESETS[case.get("mode", "classic")], case["rows"], plays, choices)


def lists(rows: Any) -> list[list[Any]]:
    return [list(row) for row in rows]


@cases("rows_after")
def test_a_turn_leaves_its_rows_and_captures(case: dict[str, Any]) -> None:
    made = turn_of(case)
    assert made.pending is None
    assert lists(made.rows) == case["rows_after"]
    assert {one.seat: list(one.cards) for one in made.captures} == {
        seat(player): cards for player, cards in case.get("captures", {}).items()
    }
    assert {one.seat: one.bullheads for one in made.captures} == {
        seat(player): points for player, points in case.get("points", {}).items()
    }


@cases("asks")
def test_a_turn_asks_its_choosers_one_after_the_other(case: dict[str, Any]) -> None:
    asked: list[int] = []
    choices = case.get("choices", {})
    for count in range(len(choices) + 1):
        given_so_far = {player: choices[player] for player in case["asks"][:count]}
        pending = turn_of(case | {"choices": given_so_far}).pending
        asked += [pending.seat] if pending else []
    assert asked == [seat(player) for player in case["asks"]]


@cases("pending")
def test_a_turn_stops_at_a_missing_choice(case: dict[str, Any]) -> None:
    made, expected = turn_of(case), case["pending"]
    pending = made.pending
    assert pending is not None
    assert (pending.seat, pending.card) == (seat(expected["player"]), expected["card"])
    legal = lists(pending.legal.rows)
    assert expected["options"] in (legal, [row for row, modes in enumerate(legal) if modes])
    assert [[one.seat, one.card] for one in pending.queue] == [
        [seat(player), card] for player, card in expected["queue"]
    ]
    assert lists(made.rows) == expected.get("rows_now", case["rows"])


@cases("reject")
def test_a_turn_that_cannot_be_is_refused(case: dict[str, Any]) -> None:
    codes = {
        "X02": "row_out_of_range",
        "X04": "no_row_choice",
        "X05": "position_impossible",
        "X06": "position_impossible",
        "X07": "mode_not_legal",
        "J05": "mode_not_legal",
    }
    with pytest.raises(Refusal) as refused:
        turn_of(case)
    assert refused.value.code == codes[case["id"]]
    assert refused.value.pointers


def test_every_turn_of_the_cases_is_played_stopped_or_refused() -> None:
    assert len(VECTORS) == sum(len({"rows_after", "pending", "reject"} & case.keys()) for case in VECTORS)


IMPOSSIBLE: Final[list[tuple[str, str, dict[str, Any]]]] = [
    ("position_impossible", "/rows", {"rows": []}),
    ("position_impossible", "/rows", {"rows": ROWS[:3]}),
    ("position_impossible", "/rows", {"rows": [*ROWS, [60]]}),
    ("position_impossible", "/rows/1", {"rows": [[20], [], [40], [50]]}),
    ("position_impossible", "/rows/0", {"rows": [[1, 2, 3, 4, 6, 7], *ROWS[1:]]}),
    ("position_impossible", "/rows/0/2", {"rows": [[7, 9, 8], *ROWS[1:]]}),
    ("position_impossible", "/rows/0/0", {"rows": [[105], *ROWS[1:]]}),
    ("position_impossible", "/rows/0/0", {"rows": [[True], *ROWS[1:]]}),
    ("position_impossible", "/rows/0/0", {"rows": [["J0"], *ROWS[1:]]}),
    ("position_impossible", "/rows/3/0", {"rows": [*ROWS[:3], [20]]}),
    ("position_impossible", "/plays", {"plays": []}),
    ("position_impossible", "/plays/0/card", {"plays": [{"seat": 0, "card": 0}]}),
    ("position_impossible", "/plays/0/card", {"plays": [{"seat": 0, "card": "5"}]}),
    ("position_impossible", "/plays/0/card", {"plays": [{"seat": 0, "card": "J1"}]}),
    ("position_impossible", "/plays/0/card", {"plays": [{"seat": 0, "card": 20}]}),
    ("position_impossible", "/plays/1/card", {"plays": [{"seat": 0, "card": 5}, {"seat": 1, "card": 5}]}),
    ("position_impossible", "/plays/1/seat", {"plays": [{"seat": 0, "card": 5}, {"seat": 0, "card": 6}]}),
    ("seat_out_of_range", "/plays/0/seat", {"plays": [{"seat": 10, "card": 5}]}),
    ("seat_out_of_range", "/plays/0/seat", {"plays": [{"seat": -1, "card": 5}]}),
    ("no_row_choice", "/choices/0/seat", {"choices": [{"seat": 5, "row": 0}]}),
    ("no_row_choice", "/choices/0/seat", {"choices": [{"seat": 1, "row": 0}]}),
    ("position_impossible", "/choices/1/seat", {"choices": [{"seat": 0, "row": 0}, {"seat": 0, "row": 0}]}),
    ("row_out_of_range", "/choices/0/row", {"choices": [{"seat": 0, "row": 4}]}),
    ("row_out_of_range", "/choices/0/row", {"choices": [{"seat": 0, "row": -1}]}),
    ("mode_not_legal", "/choices/0/mode", {"choices": [{"seat": 0, "row": 0, "mode": "append"}]}),
    (
        "no_row_choice",
        "/choices/0",
        {"plays": [{"seat": 0, "card": 21}], "choices": [{"seat": 0, "row": 0}]},
    ),
]


@pytest.mark.parametrize(("code", "pointer", "change"), IMPOSSIBLE)
def test_what_is_impossible_is_named(code: str, pointer: str, change: dict[str, Any]) -> None:
    position: dict[str, Any] = {
        "rows": ROWS,
        "plays": [{"seat": 0, "card": 5}, {"seat": 1, "card": 60}],
        "choices": [],
    } | change
    with pytest.raises(Refusal) as refused:
        simulate(CLASSIC, **position)
    assert (refused.value.code, refused.value.pointers) == (code, (pointer,))


def test_two_jokers_side_by_side_are_impossible() -> None:
    rows: list[list[Any]] = [[10, "J0", "J1"], *ROWS[1:]]
    with pytest.raises(Refusal) as refused:
        simulate(JOKERS, rows, [{"seat": 0, "card": 60}], [])
    assert refused.value.pointers == ("/rows/0/2",)


def test_numbers_ascend_across_a_joker() -> None:
    rows: list[list[Any]] = [[10, "J0", 9], *ROWS[1:]]
    with pytest.raises(Refusal) as refused:
        simulate(JOKERS, rows, [{"seat": 0, "card": 60}], [])
    assert refused.value.pointers == ("/rows/0/2",)


def test_a_choice_that_is_not_reached_does_not_help() -> None:
    plays: list[dict[str, Any]] = [{"seat": 0, "card": "J0"}, {"seat": 1, "card": "J1"}]
    made = simulate(JOKERS, ROWS, plays, [{"seat": 1, "row": 0, "mode": "take"}])
    assert made.pending is not None
    assert made.pending.seat == 0
    assert not made.placements


@examples(15)
@given(games())
def test_turns_of_whole_games_are_placed_the_same(done: list[Step]) -> None:
    placed: list[e.CardPlaced] = []
    choices: list[dict[str, Any]] = []
    rows: Any = ()
    rules = done[0].before.rules
    for step in done:
        for event in step.events:
            match event:
                case e.RoundDealt() | e.DraftClosed():
                    rows, placed, choices = event.rows, [], []
                case e.RowChosen():
                    choices.append({"seat": event.seat, "row": event.row, "mode": event.mode})
                case e.CardPlaced():
                    placed.append(event)
                case e.TurnClosed():
                    plays = [{"seat": one.seat, "card": one.card} for one in placed]
                    captures = tuple(
                        Capture(one.seat, one.captured, one.bullheads) for one in placed if one.captured
                    )
                    made = simulate(rules, rows, plays[::-1], choices)
                    assert made == Simulation(event.rows, tuple(placed), captures, None)
                    rows, placed, choices = event.rows, [], []
                case _:
                    pass
