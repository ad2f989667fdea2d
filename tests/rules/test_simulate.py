"""One turn as a pure function: every worked turn, with and without Jokers, and every position that cannot be."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import pytest

from engine.errors import Refusal
from engine.rulesets import RULESETS
from engine.simulate import Simulation, simulate

VECTORS = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "vectors" / "rules.jsonl").read_text().splitlines()
]
TURNS = [vector for vector in VECTORS if vector["kind"] == "turn"]
ROWS: list[list[Any]] = [[20], [30, 31], [40], [50]]


def placed(vector: dict[str, Any]) -> Simulation:
    choices = [
        {"seat": ord(player) - ord("A"), **(made if isinstance(made, dict) else {"row": made})}
        for player, made in vector.get("choices", {}).items()
    ]
    plays = [{"seat": ord(player) - ord("A"), "card": card} for player, card in vector["plays"].items()]
    jokers = vector.get("mode") == "jokers"
    return simulate(RULESETS["classic"], vector["rows"], plays, choices, jokers=jokers)


def player(seat: int) -> str:
    return chr(ord("A") + seat)


@pytest.mark.parametrize("vector", [v for v in TURNS if "rows_after" in v], ids=lambda v: v["id"])
def test_a_worked_turn_ends_as_it_should(vector: dict[str, Any]) -> None:
    made = placed(vector)
    assert [list(row) for row in made.rows] == vector["rows_after"]
    assert made.pending is None
    assert {player(one.seat): list(one.cards) for one in made.captures} == vector.get("captures", {})
    assert {player(one.seat): one.bullheads for one in made.captures} == vector.get("points", {})
    asked = [player(one.seat) for one in made.placements if one.why in ("too_low", "joker")]
    assert asked == vector.get("asks", [])


@pytest.mark.parametrize("vector", [v for v in TURNS if "pending" in v], ids=lambda v: v["id"])
def test_a_turn_stops_at_the_choice_that_is_missing(vector: dict[str, Any]) -> None:
    made, expected = placed(vector), vector["pending"]
    assert made.pending is not None
    assert (player(made.pending.seat), made.pending.card) == (expected["player"], expected["card"])
    legal = [list(modes) for modes in made.pending.legal["rows"]]
    assert legal == expected["options"] or list(range(len(legal))) == expected["options"]
    assert [[player(one.seat), one.card] for one in made.pending.queue] == expected["queue"]
    assert [list(row) for row in made.rows] == expected.get("rows_now", vector["rows"])


@pytest.mark.parametrize("vector", [v for v in TURNS if "reject" in v], ids=lambda v: v["id"])
def test_a_turn_that_cannot_be_is_refused(vector: dict[str, Any]) -> None:
    with pytest.raises(Refusal):
        placed(vector)


def test_a_choice_that_comes_after_the_one_that_is_missing_may_stand_already() -> None:
    plays = [{"seat": 0, "card": "J1"}, {"seat": 1, "card": 5}]
    made = simulate(RULESETS["classic"], ROWS, plays, [{"seat": 1, "row": 0}], jokers=True)
    assert made.pending is not None
    assert made.pending.seat == 0


@pytest.mark.parametrize(
    ("rows", "plays", "choices", "code", "pointer"),
    [
        ([[20]], [(0, 5)], [], "position_impossible", "/rows"),
        ([[], [30], [40], [50]], [(0, 5)], [], "position_impossible", "/rows/0"),
        ([[1, 2, 3, 4, 5, 6], [30], [40], [50]], [(0, 7)], [], "position_impossible", "/rows/0"),
        ([[20], [31, 30], [40], [50]], [(0, 5)], [], "position_impossible", "/rows/1"),
        ([[20], [20], [40], [50]], [(0, 5)], [], "position_impossible", "/rows/1"),
        ([[20], ["J1"], [40], [50]], [(0, 5)], [], "position_impossible", "/rows/1"),
        (ROWS, [(0, 20)], [], "position_impossible", "/plays"),
        (ROWS, [(0, "J1")], [], "position_impossible", "/plays"),
        (ROWS, [(0, 105)], [], "position_impossible", "/plays/0/card"),
        (ROWS, [], [], "position_impossible", "/plays"),
        (ROWS, [(0, 5), (0, 6)], [], "position_impossible", "/plays/1/seat"),
        (ROWS, [(10, 5)], [], "seat_out_of_range", "/plays/0/seat"),
        (ROWS, [(0, 5)], [(1, 0)], "no_row_choice", "/choices/0/seat"),
        (ROWS, [(0, 5)], [(0, 0), (0, 1)], "position_impossible", "/choices/1/seat"),
        (ROWS, [(0, 5)], [(0, 4)], "row_out_of_range", "/choices/0/row"),
        (ROWS, [(0, 25)], [(0, 0)], "no_row_choice", "/choices/0"),
    ],
)
def test_a_position_that_cannot_be_is_refused_with_its_place(
    rows: list[list[Any]],
    plays: list[tuple[int, Any]],
    choices: list[tuple[int, int]],
    code: str,
    pointer: str,
) -> None:
    laid = [{"seat": seat, "card": card} for seat, card in plays]
    made = [{"seat": seat, "row": row} for seat, row in choices]
    with pytest.raises(Refusal) as refused:
        simulate(RULESETS["classic"], rows, laid, made)
    assert (refused.value.code, refused.value.pointers) == (code, (pointer,))
