"""A lobby's seats while several take, leave and fill them at once, or half way."""

from collections.abc import Callable
from threading import Thread
from typing import Any

import pytest

from service import seating
from service.services import Services
from service.store.moments import now
from tests.api.kinds import MakePlayer, Refused
from tests.api.played import seated


def services_of(client: Any) -> Services:
    """What the application of a client works with."""
    services: Services = client.application.extensions["take5"]
    return services


def opened(client: Any, headers: dict[str, str], **options: Any) -> str:
    """Open a table for three and return its address."""
    body = {"ruleset": "classic", "seats": 3, **options}
    return f"/v1/games/{client.post('/v1/games', json=body, headers=headers).json['id']}"


def test_nobody_holds_two_seats_and_who_tries_keeps_the_first(
    client: Any, ada: dict[str, str], refused: Refused
) -> None:
    table = opened(client, ada)
    assert refused(client.post(f"{table}/seats", json={}, headers=ada))["code"] == "already_seated"
    assert client.get("/v1/me", headers=ada).json["active_games"] == [table.removeprefix("/v1/games/")]


def test_a_full_table_is_full(client: Any, player: MakePlayer, refused: Refused) -> None:
    seated(client)
    problem = refused(client.post("/v1/games/g_1/seats", json={}, headers=player("Eve")))
    assert (problem["code"], problem["status"]) == ("game_full", 409)


def test_a_seat_that_is_taken_again_with_the_same_key_is_one_seat(
    client: Any, ada: dict[str, str], player: MakePlayer
) -> None:
    table, headers = opened(client, ada), {**player("Bob"), "Idempotency-Key": "k"}
    first, again = (client.post(f"{table}/seats", json={}, headers=headers) for _ in range(2))
    assert (again.status_code, again.data) == (201, first.data)


def test_a_player_takes_or_leaves_one_seat_at_a_time(
    client: Any, ada: dict[str, str], player: MakePlayer, until: Callable[[Callable[[], bool]], None]
) -> None:
    table, bob, players = opened(client, ada), player("Bob"), services_of(client).players
    bob_id, answers = client.get("/v1/me", headers=bob).json["id"], list[Any]()
    tried: list[str] = []
    begin = players.begin_seat

    def begin_and_tell(player_id: str, nonce: str) -> bool:
        tried.append(nonce)
        return begin(player_id, nonce)

    assert players.begin_seat(bob_id, "another process")
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr(players, "begin_seat", begin_and_tell)
        other = client.application.test_client()
        thread = Thread(target=lambda: answers.append(other.post(f"{table}/seats", headers=bob)))
        thread.start()
        until(lambda: len(tried) > 2)
        assert answers == []
        players.end_seat(bob_id, "another process")
        thread.join(10)
    assert answers[0].status_code == 201


def test_who_waits_too_long_for_another_seat_of_the_same_player_is_told_so(
    client: Any,
    ada: dict[str, str],
    player: MakePlayer,
    refused: Refused,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.setattr(seating, "PATIENCE_S", 0)
    table, bob = opened(client, ada), player("Bob")
    services_of(client).players.begin_seat(client.get("/v1/me", headers=bob).json["id"], "another process")
    assert refused(client.post(f"{table}/seats", headers=bob))["code"] == "unavailable"


def test_who_sits_down_while_leaving_is_noted_misses_no_game(
    client: Any, ada: dict[str, str], player: MakePlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    table, bob, services = opened(client, ada), player("Bob"), services_of(client)
    game, execute = table.removeprefix("/v1/games/"), services.play.execute

    def sit_late(game_id: str, command: Any) -> Any:
        services.players.drop_game(command.player, game_id)
        return execute(game_id, command)

    monkeypatch.setattr(services.play, "execute", sit_late)
    assert client.post(f"{table}/seats", headers=bob).status_code == 201
    assert client.get("/v1/me", headers=bob).json["active_games"] == [game]


def test_a_seat_that_was_refused_leaves_nothing_behind(
    client: Any, ada: dict[str, str], player: MakePlayer
) -> None:
    table, bob = opened(client, ada), player("Bob")
    assert client.post(f"{table}/seats", json={"seat": 0}, headers=bob).status_code == 409
    assert client.get("/v1/me", headers=bob).json["active_games"] == []


def test_what_was_left_or_created_half_way_is_forgotten(
    client: Any, ada: dict[str, str], player: MakePlayer
) -> None:
    table, bob, players = opened(client, ada), player("Bob"), services_of(client).players
    player_id = client.get("/v1/me", headers=bob).json["id"]
    players.add_game(player_id, table.removeprefix("/v1/games/"), 1)
    players.add_game(player_id, "g_never", 2)
    players.add_game(player_id, "g_soon", now())
    assert client.get("/v1/me/decisions", headers=bob).json["items"] == []
    assert client.get("/v1/me", headers=bob).json["active_games"] == ["g_soon"]
