"""One turn as a pure function over HTTP: the worked cases, what cannot be, and what is no position at all."""

import json
from pathlib import Path
from typing import Any

import pytest

from service.schemas.simulate import ANSWER_EXAMPLES, REQUEST_EXAMPLES, SimulationSchema
from tests.api.kinds import Refused

VECTORS = [
    json.loads(line)
    for line in (Path(__file__).parents[2] / "vectors" / "rules.jsonl").read_text().splitlines()
]
CLASSIC = [vector for vector in VECTORS if vector["kind"] == "turn" and "mode" not in vector]
PLACED = [vector for vector in CLASSIC if "rows_after" in vector]
STOPPED = [vector for vector in CLASSIC if "pending" in vector]
REFUSED = [vector for vector in CLASSIC if "reject" in vector]

POSITION: dict[str, Any] = REQUEST_EXAMPLES["whole"]["value"]


def seat(player: str) -> int:
    return ord(player) - ord("A")


def request_of(vector: dict[str, Any]) -> dict[str, Any]:
    """Return a worked case as the body that asks for it."""
    choices = [
        {"seat": seat(player), **(made if isinstance(made, dict) else {"row": made})}
        for player, made in vector.get("choices", {}).items()
    ]
    plays = [{"seat": seat(player), "card": card} for player, card in vector["plays"].items()]
    return {"ruleset": "classic", "rows": vector["rows"], "plays": plays, "choices": choices}


def named(vectors: list[dict[str, Any]]) -> pytest.MarkDecorator:
    return pytest.mark.parametrize("vector", vectors, ids=[vector["id"] for vector in vectors])


def test_there_are_worked_cases_of_every_kind() -> None:
    assert len(PLACED) >= 10
    assert STOPPED
    assert len(REFUSED) >= 3


@named(PLACED)
def test_a_worked_turn_ends_as_it_should(client: Any, vector: dict[str, Any]) -> None:
    answer = client.post("/v1/simulate", json=request_of(vector))
    made = answer.json
    assert made["rows"] == vector["rows_after"]
    assert made["pending"] is None
    captures = {seat(player): cards for player, cards in vector.get("captures", {}).items()}
    assert {one["seat"]: one["cards"] for one in made["captures"]} == captures
    points = {seat(player): heads for player, heads in vector.get("points", {}).items()}
    assert {one["seat"]: one["bullheads"] for one in made["captures"]} == points
    assert [one["card"] for one in made["placements"]] == sorted(vector["plays"].values())
    assert SimulationSchema().load(made) == made


@named(STOPPED)
def test_a_turn_stops_at_the_choice_that_is_missing(client: Any, vector: dict[str, Any]) -> None:
    made = client.post("/v1/simulate", json=request_of(vector)).json
    expected = vector["pending"]
    assert made["rows"] == expected["rows_now"]
    assert (made["pending"]["seat"], made["pending"]["card"]) == (seat(expected["player"]), expected["card"])
    legal = made["pending"]["legal"]["rows"]
    assert [row for row, modes in enumerate(legal) if modes] == expected["options"]
    assert [[one["seat"], one["card"]] for one in made["pending"]["queue"]] == [
        [seat(player), card] for player, card in expected["queue"]
    ]
    assert SimulationSchema().load(made) == made


@named(REFUSED)
def test_what_cannot_be_is_refused(client: Any, refused: Refused, vector: dict[str, Any]) -> None:
    answer = client.post("/v1/simulate", json=request_of(vector))
    assert answer.status_code in {409, 422}
    refused(answer)


@pytest.mark.parametrize("name", sorted(REQUEST_EXAMPLES))
def test_the_documented_answers_are_the_service_s(client: Any, name: str) -> None:
    answer = client.post("/v1/simulate", json=REQUEST_EXAMPLES[name]["value"])
    assert answer.json == ANSWER_EXAMPLES[name]["value"]


@pytest.mark.parametrize(
    ("change", "pointer"),
    [
        ({"plays": [{"seat": 0, "card": True}]}, "/plays/0/card"),
        ({"plays": [{"seat": 0, "card": 5.0}]}, "/plays/0/card"),
        ({"plays": [{"seat": 0, "card": "5"}]}, "/plays/0/card"),
        ({"plays": [{"seat": 0, "card": None}]}, "/plays/0/card"),
        ({"plays": [{"seat": 0, "card": 105}]}, "/plays/0/card"),
        ({"plays": [{"seat": 0, "card": "J10"}]}, "/plays/0/card"),
        ({"plays": [{"seat": -1, "card": 5}]}, "/plays/0/seat"),
        ({"plays": [{"seat": 0}]}, "/plays/0/card"),
        ({"plays": [{"seat": 0, "card": 5, "mode": "take"}]}, "/plays/0/mode"),
        ({"plays": {}}, "/plays"),
        ({"plays": [[0, 5]]}, "/plays/0"),
        ({"rows": [[20], "30", [40], [50]]}, "/rows/1"),
        ({"rows": [[20], [30], [40], [5.5]]}, "/rows/3/0"),
        ({"rows": None}, "/rows"),
        ({"choices": [{"seat": 0, "row": "1"}]}, "/choices/0/row"),
        ({"choices": [{"seat": 0, "row": -1}]}, "/choices/0/row"),
        ({"choices": [{"seat": 0, "row": 1, "mode": "eat"}]}, "/choices/0/mode"),
        ({"choices": None}, "/choices"),
        ({"ruleset": 1}, "/ruleset"),
        ({"ruleset": "chess"}, "/ruleset"),
        ({"surprise": 1}, "/surprise"),
        ({"rows": [[20], [30], [40]]}, "/rows"),
        ({"rows": [[20], [], [40], [50]]}, "/rows/1"),
        ({"rows": [[1, 2, 3, 4, 6, 7], [30], [40], [50]]}, "/rows/0"),
        ({"plays": [{"seat": 0, "card": 20}]}, "/plays/0/card"),
    ],
)
def test_the_wrong_part_of_a_position_is_named(
    client: Any, refused: Refused, change: dict[str, Any], pointer: str
) -> None:
    answer = client.post("/v1/simulate", json=POSITION | change)
    problem = refused(answer)
    assert answer.status_code == 422
    assert pointer in [error["pointer"] for error in problem["errors"]]


def test_nothing_at_all_is_no_position(client: Any, refused: Refused) -> None:
    problem = refused(client.post("/v1/simulate", json={}))
    assert {error["pointer"] for error in problem["errors"]} == {"/ruleset", "/rows", "/plays"}


def test_the_same_position_has_the_same_answer_whoever_asks(client: Any, refused: Refused) -> None:
    first = client.post("/v1/simulate", json=POSITION)
    assert client.post("/v1/simulate", json=POSITION).data == first.data
    assert first.headers["Cache-Control"] == "no-store"
