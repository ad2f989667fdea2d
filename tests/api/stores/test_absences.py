"""Leaving a table that plays: away for a while, or for good, and the others go on."""

from typing import Any

import pytest

from engine import commands as c
from service.schemas.games import GameSchema
from tests.api.asking import owed, put
from tests.api.kinds import MakePlayer, Refused
from tests.api.played import finished, seated, started
from worker.bots import play_bots

AWAY, RESIGN = "/v1/games/g_1/away", "/v1/games/g_1/resign"


def controllers(client: Any) -> list[tuple[str, str]]:
    seats = client.get("/v1/games/g_1").json["seats"]
    return [(seat["controller"], seat["presence"]) for seat in seats]


def test_who_is_away_is_played_for_once_nobody_else_is_waited_for(client: Any) -> None:
    table = started(client)
    told = client.put(AWAY, headers=table.headers[0])
    assert told.status_code == 200
    assert GameSchema().load(told.json) == told.json
    assert (told.json["you"], controllers(client)) == (0, [("policy", "away"), ("player", "online")])
    table.do(c.Expire())
    assert table.state().laid == (None, None)
    table.lay(1)
    table.do(c.Expire())
    assert table.state().laid[0] or table.state().turn == 2
    shown = client.get("/v1/games/g_1/decisions/r1.t1.s0.card", headers=table.headers[0]).json
    assert shown["answered_by"] == "away"


def test_going_twice_or_returning_twice_changes_nothing(client: Any) -> None:
    table = started(client)
    first = client.put(AWAY, headers=table.headers[0])
    assert client.put(AWAY, headers=table.headers[0]).data == first.data
    for _ in range(2):
        assert client.delete(AWAY, headers=table.headers[0]).status_code == 204
    assert controllers(client) == [("player", "online")] * 2


def test_any_answer_returns_a_seat_and_its_receipt_is_for_the_answer(client: Any) -> None:
    table = started(client)
    client.put(AWAY, headers=table.headers[0])
    card = table.state().hands[0][0]
    receipt = put(client, table.headers[0], "r1.t1.s0.card", {"card": card})
    assert controllers(client)[0] == ("player", "online")
    kinds = [envelope["type"] for envelope in table.services.play.log("g_1")]
    assert kinds[-2:] == ["seat.returned", "card.laid"]
    assert receipt.json["seq"] == len(kinds)
    assert receipt.json["sealed"]
    assert put(client, table.headers[0], "r1.t1.s0.card", {"card": card}).data == receipt.data


def test_a_vote_returns_its_opener_and_a_ballot_its_voter(client: Any) -> None:
    table = started(client, seats=3)
    for seat in (0, 1):
        client.put(AWAY, headers=table.headers[seat])
    assert (
        client.post("/v1/games/g_1/votes", json={"kind": "pause"}, headers=table.headers[0]).json["vote"] == 1
    )
    receipt = put(client, table.headers[1], "v1.s1.ballot", {"choice": "yes"})
    assert receipt.status_code == 200
    assert controllers(client) == [("player", "online")] * 3
    assert put(client, table.headers[1], "v1.s1.ballot", {"choice": "yes"}).data == receipt.data


def test_a_seat_that_is_given_up_is_played_on_by_a_house_bot(client: Any) -> None:
    table = started(client, end={"rounds": 1})
    told = client.post(RESIGN, headers=table.headers[0])
    assert told.status_code == 200
    assert GameSchema().load(told.json) == told.json
    assert (told.json["you"], told.json["hand"]) == (None, [])
    assert controllers(client) == [("house", "online"), ("player", "online")]
    assert client.get("/v1/me", headers=table.headers[0]).json["active_games"] == []
    assert owed(client, table.headers[0]) == []
    while table.state().is_running:
        for item in owed(client, table.headers[1]):
            legal = item["legal"]
            put(
                client,
                table.headers[1],
                item["key"],
                {"card": legal["cards"][0]} if "cards" in legal else {"row": 0},
            )
        play_bots(table.services.play, "g_1")
        table.do(c.Advance())
    standings = client.get("/v1/games/g_1").json["standings"]
    assert [place["seat"] for place in standings] == [0, 1]


def test_a_seat_is_given_up_once_however_often_that_is_said(client: Any) -> None:
    table = started(client)
    first = client.post(RESIGN, headers=table.headers[0])
    again = client.post(RESIGN, headers=table.headers[0])
    assert (again.status_code, again.data) == (200, first.data)


def test_who_gave_a_seat_up_may_watch_also_where_nobody_else_may(client: Any, refused: Refused) -> None:
    for name, options in (("g_1", {"visibility": "private"}), ("g_2", {"spectators": False})):
        table = started(client, game=name, **options)
        card = table.state().hands[1][0]
        table.do(c.LayCard(1, 1, 1, card))
        client.post(f"/v1/games/{name}/resign", headers=table.headers[0])
        shown = client.get(f"/v1/games/{name}", headers=table.headers[0])
        assert (shown.status_code, shown.json["you"], shown.json["hand"]) == (200, None, [])
        events = client.get(f"/v1/games/{name}/events?limit=100", headers=table.headers[0]).json["items"]
        assert all(not item["open"] for item in events)
        listed = client.get("/v1/games?limit=100", headers=table.headers[0]).json["items"]
        assert name in [game["id"] for game in listed]
        assert refused(client.get(f"/v1/games/{name}"))["code"] == "game_not_found"


def test_what_one_had_been_asked_is_gone_with_the_seat(client: Any, refused: Refused) -> None:
    table = started(client)
    card = {"card": table.state().hands[0][0]}
    put(client, table.headers[0], "r1.t1.s0.card", card)
    client.post(RESIGN, headers=table.headers[0])
    for method, body in (("PUT", card), ("GET", None)):
        answer = client.open(
            "/v1/games/g_1/decisions/r1.t1.s0.card", method=method, json=body, headers=table.headers[0]
        )
        assert refused(answer)["code"] == "decision_not_found"


@pytest.mark.parametrize(("method", "path"), [("PUT", AWAY), ("DELETE", AWAY), ("POST", RESIGN)])
def test_only_who_sits_at_a_table_that_plays_can_leave_it(
    client: Any, refused: Refused, player: MakePlayer, method: str, path: str
) -> None:
    eve = player("Eve")

    def code(headers: dict[str, str]) -> str:
        return str(refused(client.open(path, method=method, headers=headers))["code"])

    assert code(eve) == "game_not_found"
    table = seated(client, end={"rounds": 1})
    assert code(table.headers[0]) == "game_not_playing"
    table.start()
    assert code(eve) == "not_seated"
    table.play()
    assert code(table.headers[0]) == "game_over"


def test_the_lists_of_games_find_who_gave_a_seat_up(client: Any) -> None:
    table = started(client)
    player = client.get("/v1/me", headers=table.headers[0]).json["id"]
    client.post(RESIGN, headers=table.headers[0])
    found = client.get(f"/v1/games?player={player}").json["items"]
    assert [(game["id"], game["you"]) for game in found] == [("g_1", None)]


def test_a_game_of_nobody_ends_by_itself(client: Any) -> None:
    table = started(client, end={"rounds": 1})
    for headers in table.headers:
        client.put(AWAY, headers=headers)
    while table.state().is_running:
        table.do(c.Expire())
    assert finished(client, game="g_2").state().status == table.state().status == "finished"


def test_asking_for_a_seat_again_changes_nothing_about_one_s_list(client: Any, refused: Refused) -> None:
    table = started(client, end={"rounds": 1})
    events = client.get("/v1/me/events", headers=table.headers[0]).data
    seats = "/v1/games/g_1/seats"
    assert refused(client.post(seats, json={}, headers=table.headers[0]))["code"] == "game_started"
    assert client.get("/v1/me/events", headers=table.headers[0]).data == events
    client.post(RESIGN, headers=table.headers[0])
    assert refused(client.post(seats, json={}, headers=table.headers[0]))["code"] == "game_started"
    assert client.get("/v1/me", headers=table.headers[0]).json["active_games"] == []
    table.play()
    assert refused(client.post(seats, json={}, headers=table.headers[1]))["code"] == "game_over"
    assert client.get("/v1/me", headers=table.headers[1]).json["active_games"] == []
