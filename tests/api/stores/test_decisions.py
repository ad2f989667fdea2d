"""Decisions: each seat is asked its own, answers once, and gets the same receipt for the same answer for ever."""

from collections.abc import Callable
from typing import Any, NoReturn

import pytest

from engine import commands as c
from tests.api.asking import owed, put
from tests.api.kinds import MakePlayer, Refused
from tests.api.played import finished, seated, started


def test_every_seat_is_asked_for_a_card_of_its_own_hand(client: Any) -> None:
    table = started(client, seats=3)
    for seat, headers in enumerate(table.headers):
        (decision,) = owed(client, headers)
        assert (decision["key"], decision["game"], decision["kind"]) == (f"r1.t1.s{seat}.card", "g_1", "card")
        assert tuple(decision["legal"]["cards"]) == table.state().hands[seat]
        assert decision["view"]["hand"] == decision["legal"]["cards"]
        assert (decision["view"]["you"], decision["deadline"], decision["answer"]) == (seat, None, None)


def test_an_answer_is_owed_no_longer(client: Any) -> None:
    table = started(client)
    (decision,) = owed(client, table.headers[0])
    card = decision["legal"]["cards"][3]
    assert put(client, table.headers[0], decision["key"], {"card": card}).status_code == 200
    assert owed(client, table.headers[0]) == []
    assert len(owed(client, table.headers[1])) == 1


def test_what_is_owed_over_all_games_comes_by_deadline(client: Any, player: MakePlayer) -> None:
    headers = player()
    made = []
    for pace in ("untimed", "slow", "blitz", "live"):
        body = {"ruleset": "classic", "seats": 2, "pace": pace}
        made.append(client.post("/v1/games", json=body, headers=headers).json["id"])
        client.post(f"/v1/games/{made[-1]}/seats/1/bot", json={"house": "random"}, headers=headers)
        client.post(f"/v1/games/{made[-1]}/start", headers=headers)
    items = owed(client, headers)
    assert [item["game"] for item in items] == [made[2], made[3], made[1], made[0]]
    assert [item["deadline"] is None for item in items] == [False, False, False, True]
    assert [item["game"] for item in owed(client, headers, f"game={made[3]}")] == [made[3]]


def test_games_that_are_over_or_not_begun_ask_nothing(client: Any) -> None:
    table = finished(client)
    assert owed(client, table.headers[0]) == []
    assert client.get("/v1/me", headers=table.headers[0]).json["active_games"] == []
    lobby = seated(client, game="g_2")
    assert owed(client, lobby.headers[0]) == []


def test_nobody_waits_for_a_game_that_is_over(client: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    table = finished(client)

    def held(*_: object) -> NoReturn:
        raise AssertionError("the request was held")

    monkeypatch.setattr(table.services.hub, "wait", held)
    assert owed(client, table.headers[0], "game=g_1&wait=25") == []


def test_of_a_game_that_one_only_watches_nothing_is_owed(
    client: Any, player: MakePlayer, refused: Refused
) -> None:
    started(client)
    eve = player("Eve")
    assert owed(client, eve, "game=g_1") == []
    assert refused(client.get("/v1/me/decisions?game=g_2", headers=eve))["code"] == "game_not_found"


def test_who_waits_is_answered_when_the_next_turn_opens(
    client: Any, waiter: Callable[..., list[Any]], until: Callable[[Callable[[], bool]], None]
) -> None:
    table = started(client)
    for seat, headers in enumerate(table.headers):
        put(client, headers, f"r1.t1.s{seat}.card", {"card": table.state().hands[seat][-1]})
    places = table.services.config.max_waiting
    answers = waiter("/v1/me/decisions?wait=25&game=g_1", table.headers[0])
    until(lambda: table.services.waiting._value < places)
    assert answers == []
    table.do(c.Advance())
    until(lambda: bool(answers))
    assert [item["key"] for item in answers[0].json["items"]] == ["r1.t2.s0.card"]


def test_who_waits_over_all_games_hears_of_one_that_starts(
    client: Any,
    player: MakePlayer,
    waiter: Callable[..., list[Any]],
    until: Callable[[Callable[[], bool]], None],
) -> None:
    services, ada, bob = client.application.extensions["take5"], player("Ada"), player("Bob")
    answers = waiter("/v1/me/decisions?wait=25", bob)
    until(lambda: services.waiting._value < services.config.max_waiting)
    game = client.post("/v1/games", json={"ruleset": "classic", "seats": 2}, headers=ada).json["id"]
    client.post(f"/v1/games/{game}/seats", json={}, headers=bob)
    client.post(f"/v1/games/{game}/start", headers=ada)
    until(lambda: bool(answers))
    assert [item["key"] for item in answers[0].json["items"]] == ["r1.t1.s1.card"]


def test_nothing_is_asked_before_the_start(client: Any, refused: Refused) -> None:
    table = seated(client)
    problem = refused(put(client, table.headers[0], "r1.t1.s0.card", {"card": 5}))
    assert (problem["code"], problem["status"]) == ("game_not_playing", 409)
