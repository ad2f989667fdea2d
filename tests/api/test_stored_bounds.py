"""Whatever a client can have kept has an end, and a code of its own says so."""

from typing import Any

import pytest

from engine import commands as c
from service.config import Config
from service.services import Services, in_memory
from tests.api.asking import owed, put
from tests.api.kinds import MakePlayer, Refused
from tests.api.played import started

GAME = {"ruleset": "classic", "seats": 2}


@pytest.fixture
def services() -> Services:
    """Services with small bounds."""
    return in_memory(Config(games_per_player=3, games_per_day=6, players_per_day=8, changes_per_hour=5))


def test_a_player_sits_in_so_many_games_at_a_time(client: Any, player: MakePlayer, refused: Refused) -> None:
    headers = player()
    games = [client.post("/v1/games", json=GAME, headers=headers).json["id"] for _ in range(3)]
    assert refused(client.post("/v1/games", json=GAME, headers=headers))["code"] == "too_many_games"
    elsewhere = client.post("/v1/games", json=GAME, headers=player("Eve")).json["id"]
    taken = client.post(f"/v1/games/{elsewhere}/seats", json={}, headers=headers)
    assert refused(taken)["code"] == "too_many_games"
    assert client.post("/v1/games", json={**GAME, "seat_me": False}, headers=headers).status_code == 201
    assert client.delete(f"/v1/games/{games[0]}", headers=headers).status_code == 204
    assert client.post(f"/v1/games/{elsewhere}/seats", json={}, headers=headers).status_code == 201
    assert refused(client.post("/v1/games", json=GAME, headers=headers))["code"] == "too_many_games"


def test_a_repeated_creation_needs_no_second_place(
    client: Any, player: MakePlayer, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    headers = {**player(), "Idempotency-Key": "the-third"}
    for _ in range(2):
        client.post("/v1/games", json=GAME, headers={"Authorization": headers["Authorization"]})
    with monkeypatch.context() as dying:
        dying.setattr(services.play, "create", lambda *_, **__: 1 / 0)
        assert client.post("/v1/games", json=GAME, headers=headers).status_code == 500
    assert client.post("/v1/games", json=GAME, headers=headers).status_code == 201


def test_games_that_are_over_without_having_been_noted_so_take_no_place(
    client: Any, player: MakePlayer, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    headers = player()
    with monkeypatch.context() as forgetful:
        forgetful.setattr(services.players, "end_game", lambda *_: None)
        for _ in range(3):
            game = client.post("/v1/games", json=GAME, headers=headers).json["id"]
            client.delete(f"/v1/games/{game}", headers=headers)
    assert client.post("/v1/games", json=GAME, headers=headers).status_code == 201


def test_a_player_creates_so_many_games_in_a_day(client: Any, player: MakePlayer, refused: Refused) -> None:
    headers = player()
    for _ in range(6):
        game = client.post("/v1/games", json=GAME, headers=headers).json["id"]
        client.delete(f"/v1/games/{game}", headers=headers)
    answer = client.post("/v1/games", json=GAME, headers=headers)
    problem = refused(answer)
    assert problem["code"] == "too_many_new_games"
    assert problem["retry_after_ms"] > 3_600_000
    assert int(answer.headers["Retry-After"]) > 3600
    assert client.post("/v1/games", json=GAME, headers=player("Eve")).status_code == 201


def test_a_creation_that_is_repeated_is_counted_once(client: Any, player: MakePlayer) -> None:
    headers = {**player(), "Idempotency-Key": "one"}
    for _ in range(10):
        assert client.post("/v1/games", json=GAME, headers=headers).status_code == 201


def test_so_many_players_come_from_an_address_in_a_day(client: Any, refused: Refused) -> None:
    body = {"name": "Ada", "kind": "human"}
    for _ in range(8):
        assert client.post("/v1/players", json=body).status_code == 201
    assert refused(client.post("/v1/players", json=body))["code"] == "too_many_new_players"
    elsewhere = client.post("/v1/players", json=body, environ_base={"REMOTE_ADDR": "192.0.2.1"})
    assert elsewhere.status_code == 201


def test_a_lobby_can_be_changed_so_often_by_each_player(
    client: Any, player: MakePlayer, refused: Refused
) -> None:
    headers, other = player(), player("Eve")
    game = client.post("/v1/games", json=GAME, headers=headers).json["id"]
    for number in range(5):
        body = {"ready": number % 2 == 0}
        assert client.patch(f"/v1/games/{game}/seats/me", json=body, headers=headers).status_code == 200
    for method, path in (("PATCH", "/seats/me"), ("PATCH", ""), ("DELETE", "/seats/me"), ("POST", "/start")):
        answer = client.open(f"/v1/games/{game}{path}", method=method, json={}, headers=headers)
        assert refused(answer)["code"] == "too_many_changes"
    assert client.post(f"/v1/games/{game}/seats", json={}, headers=other).status_code == 201
    assert client.get(f"/v1/games/{game}", headers=headers).status_code == 200


def test_who_has_changed_so_much_may_give_the_seat_up_all_the_same(client: Any, refused: Refused) -> None:
    table = started(client)
    for number in range(5):
        method = ("PUT", "DELETE")[number % 2]
        answer = client.open(f"/v1/games/{table.game}/away", method=method, headers=table.headers[0])
        assert answer.status_code < 300
    vote = client.post(f"/v1/games/{table.game}/votes", json={"kind": "pause"}, headers=table.headers[0])
    assert refused(vote)["code"] == "too_many_changes"
    assert client.post(f"/v1/games/{table.game}/resign", headers=table.headers[0]).status_code == 200


def test_a_card_can_be_exchanged_so_often_and_the_next_one_laid_all_the_same(
    client: Any, refused: Refused
) -> None:
    table = started(client, recommit=True)
    hand = table.state().hands[0]
    key = "r1.t1.s0.card"
    for number in range(6):
        assert put(client, table.headers[0], key, {"card": hand[number % 2]}).status_code == 200
    answer = put(client, table.headers[0], key, {"card": hand[0]})
    assert refused(answer)["code"] == "too_many_changes"
    for _ in range(10):
        assert put(client, table.headers[0], key, {"card": hand[1]}).status_code == 200
    table.lay(1)
    table.do(c.Advance())
    while request := table.state().request:
        table.do(c.ChooseRow(request.seat, 1, 1, 0))
        table.do(c.Advance())
    (owed_now,) = owed(client, table.headers[0])
    card = owed_now["legal"]["cards"][0]
    assert put(client, table.headers[0], owed_now["key"], {"card": card}).status_code == 200
    old = put(client, table.headers[0], key, {"card": hand[1]})
    assert old.status_code == 200


def test_so_many_idempotency_keys_are_kept(
    client: Any, player: MakePlayer, refused: Refused, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.store.slots.KEPT_MAX", 2)
    headers = player()
    for number in range(2):
        body = {"name": f"{number}"}
        made = client.post(
            "/v1/me/tokens", json=body, headers={**headers, "Idempotency-Key": f"{number:022}"}
        )
        assert made.status_code == 201
    answer = client.post("/v1/me/tokens", json={}, headers={**headers, "Idempotency-Key": f"{2:022}"})
    problem = refused(answer)
    assert problem["code"] == "too_many_idempotency_keys"
    assert 0 < problem["retry_after_ms"] <= 24 * 3_600_000
    assert client.post("/v1/me/tokens", json={}, headers=headers).status_code == 201
