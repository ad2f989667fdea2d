"""Score sheets over HTTP: in three forms, the same for everybody who may see the game."""

import csv
import io
from typing import Any

import pytest

from engine.scores import COLUMNS
from service.schemas.scores import SheetSchema
from tests.api.kinds import MakePlayer, Refused
from tests.api.played import finished, seated, started

SCORES = "/v1/games/g_1/scores"


@pytest.mark.parametrize(
    "options",
    [
        {},
        {"ruleset": "jokers"},
        {"ruleset": "pro"},
        {"ruleset": "tactics"},
        {"learning_rounds": 1},
        {"learning_rounds": 1, "learning_only": True},
    ],
)
def test_the_sheet_says_what_the_game_says(client: Any, options: dict[str, Any]) -> None:
    table = finished(client, seats=3, **options)
    answer = client.get(SCORES)
    assert answer.content_type == "application/json"
    assert SheetSchema().load(answer.json) == answer.json
    game = client.get("/v1/games/g_1").json
    assert answer.json["standings"] == game["standings"]
    last = answer.json["rounds"][-1]["seats"]
    assert [score["total_bullheads"] for score in last] == [seat["total_bullheads"] for seat in game["seats"]]
    assert len(answer.json["rounds"]) == table.state().round


def test_it_comes_as_a_table_and_as_text(client: Any) -> None:
    finished(client, seats=3)
    table = client.get(f"{SCORES}?format=csv")
    assert table.content_type == "text/csv; charset=utf-8; header=present"
    lines = list(csv.reader(io.StringIO(table.text)))
    assert lines[0] == [*COLUMNS]
    assert len(lines) == 4
    text = client.get(f"{SCORES}?format=text")
    assert text.content_type == "text/plain; charset=utf-8"
    assert "Round 1\n" in text.text
    assert text.text.endswith("\n")


@pytest.mark.parametrize(
    ("accept", "content_type"),
    [
        ("*/*", "application/json"),
        ("", "application/json"),
        ("text/csv", "text/csv; charset=utf-8; header=present"),
        ("text/plain", "text/plain; charset=utf-8"),
        ("text/csv;q=0.5, text/plain", "text/plain; charset=utf-8"),
        ("text/html, */*;q=0.1", "application/json"),
    ],
)
def test_the_client_chooses_the_form(client: Any, accept: str, content_type: str) -> None:
    started(client)
    answer = client.get(SCORES, headers={"Accept": accept})
    assert answer.content_type == content_type
    assert "Accept" in answer.headers["Vary"]


def test_what_is_said_in_the_address_goes_before_it(client: Any) -> None:
    started(client)
    answer = client.get(f"{SCORES}?format=json", headers={"Accept": "text/csv"})
    assert answer.content_type == "application/json"


def test_what_is_not_offered_is_refused(client: Any, refused: Refused) -> None:
    started(client)
    problem = refused(client.get(SCORES, headers={"Accept": "image/png"}))
    assert problem["code"] == "not_acceptable"
    assert problem["legal"] == {"media_types": ["application/json", "text/csv", "text/plain"]}
    assert refused(client.get(f"{SCORES}?format=xlsx"))["errors"][0]["pointer"] == "?format"


@pytest.mark.parametrize("form", ["json", "csv", "text"])
def test_everybody_reads_the_same_and_asks_again_at_no_cost(client: Any, form: str) -> None:
    table = started(client, seats=3).play(turns=4)
    url = f"{SCORES}?format={form}"
    answers = [client.get(url, headers=headers) for headers in ({}, *table.headers)]
    assert len({(answer.data, answer.headers["ETag"]) for answer in answers}) == 1
    held = {"If-None-Match": answers[0].headers["ETag"]}
    assert client.get(url, headers=held).status_code == 304
    table.play(turns=6)
    assert client.get(url, headers=held).status_code == 200


def test_before_the_start_the_sheet_is_empty(client: Any) -> None:
    seated(client)
    sheet = client.get(SCORES).json
    assert SheetSchema().load(sheet) == sheet
    assert (sheet["rounds"], sheet["standings"], len(sheet["seats"])) == ([], [], 2)


def test_who_may_not_see_the_game_cannot_see_its_scores(
    client: Any, refused: Refused, player: MakePlayer
) -> None:
    table = finished(client, visibility="private")
    for headers in ({}, player("Eve")):
        assert refused(client.get(SCORES, headers=headers))["code"] == "game_not_found"
    assert client.get(SCORES, headers=table.headers[0]).status_code == 200
