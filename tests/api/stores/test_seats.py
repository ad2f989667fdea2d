"""Seats: one a player, taken by whom the table lets in, and the game starts when all are ready."""

from typing import Any

import pytest

from service.schemas.games import GameSchema
from service.schemas.seats import SeatTakenSchema
from tests.api.kinds import MakePlayer, Refused
from tests.api.played import seated, started


def opened(client: Any, headers: dict[str, str], **options: Any) -> str:
    """Open a table for three and return its address."""
    body = {"ruleset": "classic", "seats": 3, **options}
    return f"/v1/games/{client.post('/v1/games', json=body, headers=headers).json['id']}"


def test_a_player_takes_the_first_free_seat(client: Any, ada: dict[str, str], player: MakePlayer) -> None:
    table, bob = opened(client, ada), player("Bob")
    response = client.post(f"{table}/seats", json={}, headers=bob)
    assert (response.status_code, response.json["seat"]) == (201, 1)
    assert response.headers["Location"] == table
    assert SeatTakenSchema().load(response.json) == response.json
    assert response.json["game"] == client.get(table, headers=bob).json
    assert response.json["game"]["seats"][1]["name"] == "Bob"
    assert client.get("/v1/me", headers=bob).json["active_games"] == [table.removeprefix("/v1/games/")]


def test_a_player_may_name_a_seat_and_needs_no_body(
    client: Any, ada: dict[str, str], player: MakePlayer
) -> None:
    table = opened(client, ada)
    assert client.post(f"{table}/seats", json={"seat": 2}, headers=player("Bob")).json["seat"] == 2
    assert client.post(f"{table}/seats", headers=player("Cy")).json["seat"] == 1


def test_what_a_player_adds_to_chance_stands_in_the_log(
    client: Any, ada: dict[str, str], player: MakePlayer
) -> None:
    table = opened(client, ada)
    client.post(f"{table}/seats", json={"client_seed": "c0ffee"}, headers=player("Bob"))
    (joined,) = [
        item["data"]
        for item in client.get(f"{table}/events").json["items"]
        if item["type"] == "seat.joined" and item["data"]["seat"] == 1
    ]
    assert joined["client_seed"] == "c0ffee"


@pytest.mark.parametrize(
    ("body", "code", "pointer"),
    [
        ({"seat": 0}, "seat_taken", "/seat"),
        ({"seat": 3}, "seat_out_of_range", "/seat"),
        ({"seat": -1}, "seat_out_of_range", "/seat"),
        ({"seat": 1.0}, "invalid_request", "/seat"),
        ({"seat": "1"}, "invalid_request", "/seat"),
        ({"seat": True}, "invalid_request", "/seat"),
        ({"seat": None}, "invalid_request", "/seat"),
        ({"client_seed": "no"}, "client_seed_invalid", "/client_seed"),
        ({"client_seed": "a" * 65}, "client_seed_invalid", "/client_seed"),
        ({"client_seed": 5}, "invalid_request", "/client_seed"),
        ({"accept_bots": 1}, "invalid_request", "/accept_bots"),
        ({"code": 5}, "invalid_request", "/code"),
        ({"chair": 1}, "invalid_request", "/chair"),
    ],
)
def test_a_seat_that_cannot_be_had_is_refused_and_nothing_remains_of_it(
    client: Any,
    ada: dict[str, str],
    player: MakePlayer,
    refused: Refused,
    body: dict[str, Any],
    code: str,
    pointer: str,
) -> None:
    table, bob = opened(client, ada), player("Bob")
    problem = refused(client.post(f"{table}/seats", json=body, headers=bob))
    assert problem["code"] == code
    assert [error["pointer"] for error in problem["errors"]] == [pointer]
    assert client.get("/v1/me", headers=bob).json["active_games"] == []
    assert client.get(table).json["seats"][1:] == [None, None]


def test_a_private_game_opens_to_who_has_its_code(
    client: Any, ada: dict[str, str], player: MakePlayer, refused: Refused
) -> None:
    table, bob = opened(client, ada, visibility="private"), player("Bob")
    code = client.get(table, headers=ada).json["join_code"]
    for body in ({}, {"code": ""}, {"code": code[:-1]}, {"code": f"{code}2"}, {"code": "é"}):
        problem = refused(client.post(f"{table}/seats", json=body, headers=bob))
        absent = refused(client.post("/v1/games/g_none/seats", json=body, headers=bob))
        assert {**problem, "request_id": ""} == {**absent, "request_id": ""}
    assert client.get("/v1/me", headers=bob).json["active_games"] == []
    typed = f" {code[:5]}-{code[5:]} ".lower()
    taken = client.post(f"{table}/seats", json={"code": typed}, headers=bob)
    assert (taken.status_code, taken.json["game"]["join_code"]) == (201, code)
    assert client.get(table, headers=bob).status_code == 200


def test_who_stands_beside_a_private_table_as_its_host_needs_no_code(
    client: Any, ada: dict[str, str]
) -> None:
    table = opened(client, ada, visibility="private", seat_me=False)
    assert client.post(f"{table}/seats", json={}, headers=ada).json["seat"] == 0


def test_a_game_without_spectators_can_be_joined_while_nobody_plays(
    client: Any, ada: dict[str, str], player: MakePlayer, refused: Refused
) -> None:
    table, bob = opened(client, ada, seats=2, spectators=False), player("Bob")
    assert refused(client.get(table, headers=bob))["code"] == "game_not_found"
    assert client.post(f"{table}/seats", json={}, headers=bob).status_code == 201
    assert client.post(f"{table}/start", headers=ada).status_code == 200
    problem = refused(client.post(f"{table}/seats", json={}, headers=player("Eve")))
    assert problem["code"] == "game_not_found"


def test_a_table_with_a_bot_is_joined_by_who_accepts_bots(
    client: Any, ada: dict[str, str], player: MakePlayer, refused: Refused
) -> None:
    table, bob = opened(client, ada), player("Bob")
    client.post(f"{table}/seats/1/bot", json={"house": "random"}, headers=ada)
    problem = refused(client.post(f"{table}/seats", json={}, headers=bob))
    assert (problem["code"], problem["status"]) == ("bots_not_accepted", 409)
    assert client.post(f"{table}/seats", json={"accept_bots": True}, headers=bob).json["seat"] == 2


def test_the_host_seats_a_house_bot_and_takes_it_off_again(client: Any, ada: dict[str, str]) -> None:
    table = opened(client, ada)
    response = client.post(f"{table}/seats/2/bot", json={"house": "lowest_risk"}, headers=ada)
    assert (response.status_code, response.json["seat"]) == (201, 2)
    assert SeatTakenSchema().load(response.json) == response.json
    bot = response.json["game"]["seats"][2]
    assert (bot["kind"], bot["level"], bot["player"], bot["ready"]) == ("house", "lowest_risk", None, True)
    for _ in range(2):
        assert client.delete(f"{table}/seats/2/bot", headers=ada).status_code == 204
    assert client.get(table).json["seats"][2] is None


@pytest.mark.parametrize(
    ("seat", "body", "code", "pointers"),
    [
        (0, {"house": "random"}, "seat_taken", ["seat"]),
        (3, {"house": "random"}, "seat_out_of_range", ["seat"]),
        (10**30, {"house": "random"}, "seat_out_of_range", ["seat"]),
        (1, {"house": "grandmaster"}, "bot_level_unknown", ["/house"]),
        (1, {"house": None}, "invalid_request", ["/house"]),
        (1, {"house": 5}, "invalid_request", ["/house"]),
        (1, {}, "invalid_request", ["/house"]),
        (1, {"house": "random", "name": "x"}, "invalid_request", ["/name"]),
    ],
)
def test_a_bot_that_cannot_sit_is_refused(
    client: Any,
    ada: dict[str, str],
    refused: Refused,
    seat: int,
    body: dict[str, Any],
    code: str,
    pointers: list[str],
) -> None:
    table = opened(client, ada)
    problem = refused(client.post(f"{table}/seats/{seat}/bot", json=body, headers=ada))
    assert problem["code"] == code
    assert [error["pointer"] for error in problem["errors"]] == pointers
    assert {error["in"] for error in problem["errors"]} == {"path" if pointers == ["seat"] else "body"}


def test_only_the_host_seats_bots_and_no_bot_s_route_moves_a_player(
    client: Any, ada: dict[str, str], player: MakePlayer, refused: Refused
) -> None:
    table, bob = opened(client, ada), player("Bob")
    client.post(f"{table}/seats", json={}, headers=bob)
    for call in (
        client.post(f"{table}/seats/2/bot", json={"house": "random"}, headers=bob),
        client.delete(f"{table}/seats/2/bot", headers=bob),
    ):
        assert refused(call)["code"] == "not_host"
    assert refused(client.delete(f"{table}/seats/1/bot", headers=ada))["code"] == "seat_taken"
    assert refused(client.delete(f"{table}/seats/x/bot", headers=ada))["code"] == "not_found"


def test_the_game_starts_when_every_seat_is_taken_and_ready(client: Any) -> None:
    table = seated(client)
    first = client.patch("/v1/games/g_1/seats/me", json={"ready": True}, headers=table.headers[0])
    assert (first.status_code, first.json["status"]) == (200, "lobby")
    assert GameSchema().load(first.json) == first.json
    assert [seat["ready"] for seat in first.json["seats"]] == [True, False]
    last = client.patch(
        "/v1/games/g_1/seats/me", json={"ready": True, "client_seed": "aa"}, headers=table.headers[1]
    )
    assert (last.json["status"], last.json["phase"], last.json["you"]) == ("playing", "lay_card", 1)


@pytest.mark.parametrize(
    "body", [{"ready": None}, {"ready": "yes"}, {"ready": 1}, {"client_seed": 7}, {"seat": 1}]
)
def test_what_a_seat_cannot_say_is_refused(client: Any, refused: Refused, body: dict[str, Any]) -> None:
    table = seated(client)
    problem = refused(client.patch("/v1/games/g_1/seats/me", json=body, headers=table.headers[0]))
    assert problem["code"] == "invalid_request"
    assert [error["pointer"] for error in problem["errors"]] == [f"/{name}" for name in body]


def test_who_leaves_frees_the_seat_and_hands_the_host_s_role_on(client: Any) -> None:
    table = seated(client)
    assert client.delete("/v1/games/g_1/seats/me", headers=table.headers[0]).status_code == 204
    game = client.get("/v1/games/g_1").json
    assert game["seats"][0] is None
    assert game["host"] == game["seats"][1]["player"]
    assert client.get("/v1/me", headers=table.headers[0]).json["active_games"] == []


def test_who_holds_no_seat_can_say_nothing_from_one(
    client: Any, player: MakePlayer, refused: Refused
) -> None:
    seated(client)
    eve = player("Eve")
    for call in (
        client.patch("/v1/games/g_1/seats/me", json={"ready": True}, headers=eve),
        client.delete("/v1/games/g_1/seats/me", headers=eve),
    ):
        problem = refused(call)
        assert (problem["code"], problem["status"]) == ("not_seated", 403)


def test_once_the_game_has_started_the_seats_are_fixed(
    client: Any, player: MakePlayer, refused: Refused
) -> None:
    table = started(client)
    ada = table.headers[0]
    for call in (
        client.post("/v1/games/g_1/seats", json={}, headers=player("Eve")),
        client.patch("/v1/games/g_1/seats/me", json={"ready": False}, headers=ada),
        client.delete("/v1/games/g_1/seats/me", headers=ada),
        client.post("/v1/games/g_1/seats/1/bot", json={"house": "random"}, headers=ada),
        client.delete("/v1/games/g_1/seats/1/bot", headers=ada),
    ):
        problem = refused(call)
        assert (problem["code"], problem["status"]) == ("game_started", 409)
