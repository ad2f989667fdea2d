"""Whatever a client can have kept has an end, and a code of its own says so."""

from typing import Any

import pytest

from service.config import Config
from service.services import Services, in_memory
from tests.api.kinds import MakePlayer, Refused

GAME = {"ruleset": "classic", "seats": 2}


@pytest.fixture
def services() -> Services:
    """Services with small bounds."""
    return in_memory(Config(games_per_player=3))


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
