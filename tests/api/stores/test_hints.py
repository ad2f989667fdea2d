"""Hints over HTTP: for one's own hand, while one may lay."""

from typing import Any

import pytest

from engine import commands as c
from service.schemas.hints import HintListSchema
from tests.api.kinds import MakePlayer, Refused
from tests.api.played import finished, seated, started

HINTS = "/v1/games/g_1/hints"
NONE: dict[str, Any] = {"key": None, "items": []}


@pytest.mark.parametrize("ruleset", ["classic", "tactics", "jokers"])
def test_every_card_of_one_s_hand_has_a_hint_and_nobody_else_s(client: Any, ruleset: str) -> None:
    table = started(client, seats=3, ruleset=ruleset)
    for seat, headers in enumerate(table.headers):
        answer = client.get(HINTS, headers=headers)
        assert HintListSchema().load(answer.json) == answer.json
        assert answer.json["key"] == f"r1.t1.s{seat}.card"
        assert tuple(hint["card"] for hint in answer.json["items"]) == table.state().hands[seat]
        assert all(hint["sentence"] for hint in answer.json["items"])


def test_who_may_lay_nothing_now_has_no_hints(client: Any) -> None:
    table = seated(client, end={"rounds": 1})
    assert client.get(HINTS, headers=table.headers[0]).json == NONE
    table.start()
    table.lay(0)
    assert client.get(HINTS, headers=table.headers[0]).json == NONE
    assert client.get(HINTS, headers=table.headers[1]).json["items"]
    table.play()
    assert client.get(HINTS, headers=table.headers[0]).json == NONE


def test_who_may_lay_another_card_still_has_them(client: Any) -> None:
    table = started(client, recommit=True)
    table.lay(0)
    assert len(client.get(HINTS, headers=table.headers[0]).json["items"]) == 10


def test_in_a_draft_and_in_a_pause_there_are_none(client: Any) -> None:
    table = started(client, ruleset="pro")
    assert client.get(HINTS, headers=table.headers[0]).json == NONE
    table.play(turns=1)
    assert client.get(HINTS, headers=table.headers[0]).json["items"]
    client.post("/v1/games/g_1/votes", json={"kind": "pause"}, headers=table.headers[0])
    client.put("/v1/games/g_1/decisions/v1.s1.ballot", json={"choice": "yes"}, headers=table.headers[1])
    assert client.get(HINTS, headers=table.headers[0]).json == NONE


def test_at_an_open_table_only_who_is_called_has_them(client: Any) -> None:
    table = started(client, learning_rounds=1)
    assert client.get(HINTS, headers=table.headers[0]).json["key"] == "r1.t1.s0.card"
    assert client.get(HINTS, headers=table.headers[1]).json == NONE
    table.lay(0)
    table.do(c.Advance())
    assert client.get(HINTS, headers=table.headers[1]).json["key"] == "r1.t1.s1.card"


def test_who_holds_no_seat_has_no_hand(client: Any, player: MakePlayer, refused: Refused) -> None:
    finished(client)
    eve = player("Eve")
    assert refused(client.get(HINTS, headers=eve))["code"] == "not_seated"
    assert refused(client.get("/v1/games/g_2/hints", headers=eve))["code"] == "game_not_found"
    assert refused(client.get(HINTS))["code"] == "token_required"
