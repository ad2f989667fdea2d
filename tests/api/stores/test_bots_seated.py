"""Bots at tables: who may invite which, when one comes, and how many games it plays."""

from typing import Any

import pytest

from engine import commands as c
from service.services import Services
from tests.api.kinds import MakePlayer, Refused
from tests.api.stores.inviting import TABLE, invite, made, opened

KEY = "qW3c0h5x1mZ8rTn2bYk6uA"


def test_everybody_sees_at_the_table_whose_bot_it_is(
    client: Any, ada: dict[str, str], player: MakePlayer
) -> None:
    bob = player("Bob")
    table, (_, headers) = opened(client, bob), made(client, ada)
    taken = client.post(f"{table}/seats", json={"accept_bots": True}, headers=headers)
    owner = {"player": client.get("/v1/me", headers=ada).json["id"], "name": "Ada"}
    listed = client.get("/v1/games").json["items"][0]
    joined = client.get(f"{table}/events").json["items"][-1]["data"]
    for shown in (taken.json["game"]["seats"][1], listed["seats"][1], joined):
        assert (shown["name"], shown["kind"], shown["owner"]) == ("Max", "bot", owner)


def test_the_host_seats_a_bot_of_its_own_which_plays_at_once(client: Any, ada: dict[str, str]) -> None:
    table, (bot, headers) = opened(client, ada, seats=2, accept_bots=False), made(client, ada)
    client.patch(f"{table}/seats/me", json={"ready": True}, headers=ada)
    answer = invite(client, ada, table, bot)
    assert (answer.status_code, answer.json["seat"]) == (201, 1)
    holder = answer.json["game"]["seats"][1]
    assert (holder["player"], holder["kind"], holder["level"], holder["controller"]) == (
        bot,
        "bot",
        None,
        "player",
    )
    assert answer.json["game"]["status"] == "playing"
    assert answer.json["game"]["seats"][0]["accepts_bots"]
    (owed,) = client.get("/v1/me/decisions", headers=headers).json["items"]
    assert owed["game"] == table.removeprefix("/v1/games/")


def test_who_may_invite_a_bot_is_its_owner_s_to_say(
    client: Any, ada: dict[str, str], player: MakePlayer, refused: Refused
) -> None:
    eve, (bot, _) = player("Eve"), made(client, ada)
    table, hers = opened(client, eve), client.get("/v1/me", headers=ada).json["id"]
    told = [invite(client, eve, table, each) for each in (bot, hers, "p_none")]
    problems = [refused(answer) | {"request_id": ""} for answer in told]
    assert problems[0] == problems[1] == problems[2]
    assert (problems[0]["code"], problems[0]["errors"][0]["pointer"]) == ("bot_unknown", "/player")
    client.patch(f"/v1/me/bots/{bot}", json={"invitations": "anyone"}, headers=ada)
    assert invite(client, eve, table, bot).status_code == 201
    assert refused(invite(client, eve, table, bot, 2))["code"] == "already_seated"


def test_only_the_host_invites(
    client: Any, ada: dict[str, str], player: MakePlayer, refused: Refused
) -> None:
    table, (bot, _) = opened(client, player("Eve")), made(client, ada)
    assert refused(invite(client, ada, table, bot))["code"] == "not_host"
    assert refused(invite(client, ada, table, "p_none"))["code"] == "not_host"


@pytest.mark.parametrize("body", [{}, {"house": "random", "player": "p_1"}])
def test_a_bot_is_of_the_house_or_a_player(
    client: Any, ada: dict[str, str], refused: Refused, body: dict[str, str]
) -> None:
    answer = client.post(f"{opened(client, ada)}/seats/1/bot", json=body, headers=ada)
    assert refused(answer)["errors"][0]["pointer"] == "/house"


def test_a_bot_comes_only_where_all_have_agreed(
    client: Any, ada: dict[str, str], player: MakePlayer, refused: Refused
) -> None:
    table, bob, (bot, headers) = opened(client, ada), player("Bob"), made(client, ada)
    client.post(f"{table}/seats", headers=bob)
    for call in (
        invite(client, ada, table, bot, 2),
        client.post(f"{table}/seats/2/bot", json={"house": "random"}, headers=ada),
        client.post(f"{table}/seats", json={"accept_bots": True}, headers=headers),
    ):
        assert refused(call)["code"] == "bots_not_accepted"
    assert client.get("/v1/me", headers=headers).json["active_games"] == []
    agreed = client.patch(f"{table}/seats/me", json={"accept_bots": True}, headers=bob)
    assert agreed.json["seats"][1]["accepts_bots"]
    assert invite(client, ada, table, bot, 2).status_code == 201
    back = client.patch(f"{table}/seats/me", json={"accept_bots": False}, headers=bob)
    assert refused(back)["code"] == "bots_not_accepted"


def test_a_bot_that_the_host_takes_off_is_free_again(client: Any, ada: dict[str, str]) -> None:
    bot, headers = made(client, ada, max_concurrent=1)
    first, second = opened(client, ada), opened(client, ada)
    assert invite(client, ada, first, bot).status_code == 201
    assert client.delete(f"{first}/seats/1/bot", headers=ada).status_code == 204
    assert client.get("/v1/me", headers=headers).json["active_games"] == []
    assert invite(client, ada, second, bot).status_code == 201


def test_a_bot_plays_as_many_games_at_a_time_as_it_has_promised(
    client: Any, ada: dict[str, str], refused: Refused
) -> None:
    bot, headers = made(client, ada, max_concurrent=2)
    tables = [opened(client, ada) for _ in range(4)]
    assert invite(client, ada, tables[0], bot).status_code == 201
    assert client.post(f"{tables[1]}/seats", json={"accept_bots": True}, headers=headers).status_code == 201
    for call in (
        invite(client, ada, tables[2], bot),
        client.post(f"{tables[2]}/seats", json={"accept_bots": True}, headers=headers),
        client.post("/v1/games", json={**TABLE, "accept_bots": True}, headers=headers),
    ):
        problem = refused(call)
        assert (problem["code"], problem["status"]) == ("bot_busy", 409)
    client.delete(f"{tables[0]}", headers=ada)
    assert invite(client, ada, tables[3], bot).status_code == 201


def test_a_game_that_ended_unnoted_does_not_count(client: Any, ada: dict[str, str]) -> None:
    bot, _ = made(client, ada, max_concurrent=1)
    services: Services = client.application.extensions["take5"]
    first, second = opened(client, ada), opened(client, ada)
    assert invite(client, ada, first, bot).status_code == 201
    host = client.get("/v1/me", headers=ada).json["id"]
    services.play.execute(first.removeprefix("/v1/games/"), c.CloseLobby(host))
    assert invite(client, ada, second, bot).status_code == 201


def test_a_bot_that_was_given_up_is_played_for_and_can_be_taken_off(
    client: Any, ada: dict[str, str], player: MakePlayer
) -> None:
    bot, _ = made(client, ada)
    table = opened(client, ada, seats=2)
    invite(client, ada, table, bot)
    client.delete(f"/v1/me/bots/{bot}", headers=ada)
    assert client.get(table, headers=ada).json["seats"][1]["player"] == bot
    assert client.delete(f"{table}/seats/1/bot", headers=ada).status_code == 204


def test_an_invitation_that_died_half_way_is_one_seat_when_repeated(
    client: Any, ada: dict[str, str], monkeypatch: pytest.MonkeyPatch
) -> None:
    bot, _ = made(client, ada, max_concurrent=1)
    table, services = opened(client, ada), client.application.extensions["take5"]
    headers, clock = {**ada, "Idempotency-Key": KEY}, [10**12]
    monkeypatch.setattr(services.idempotency, "_clock", lambda: clock[0])
    with monkeypatch.context() as dying:
        dying.setattr(services.idempotency, "finish", lambda *_: False)
        assert invite(client, headers, table, bot).status_code == 201
    clock[0] += 60_000
    again = invite(client, headers, table, bot)
    assert (again.status_code, again.json["seat"]) == (201, 1)
