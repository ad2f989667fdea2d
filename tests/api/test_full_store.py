"""A store without room: every change is refused and leaves nothing behind, reading goes on, and later all of it works."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

import pytest
from redis import Redis

from service.app import create_app
from service.config import Config
from service.services import connect
from service.store import connect as connections
from service.store.embedded import Embedded
from tests.api.kinds import Refused
from tests.api.played import Table, seated


@pytest.fixture
def store(own_servers: Embedded) -> Iterator[Redis]:
    with connections.games_client(own_servers.urls.games, threads=4) as client:
        yield client
        client.config_set("maxmemory", 0)


@pytest.fixture
def client(own_servers: Embedded) -> Iterator[Any]:
    services = connect(Config(redis_url=own_servers.urls.games, queue_url=own_servers.urls.queue))
    yield create_app(services).test_client()
    services.close()


def everything(store: Redis) -> dict[bytes, bytes | None]:
    return {key: store.dump(key) for key in store.scan_iter()}


def changes(table: Table) -> list[tuple[str, str, Any, dict[str, str]]]:
    """Every kind of change that somebody may ask for: method, path, body, headers."""
    host, other = table.headers
    once = {"Idempotency-Key": "k" * 30}
    return [
        ("POST", "/v1/players", {"name": "Cy", "kind": "human"}, once),
        ("POST", "/v1/games", {"ruleset": "classic", "seats": 2}, host | once),
        ("POST", "/v1/me/tokens", {"name": "other"}, host | {"Idempotency-Key": "q" * 30}),
        ("PATCH", "/v1/me", {"name": "Ada the second"}, host),
        ("PATCH", "/v1/games/g_1", {"pace": "slow"}, host),
        ("PATCH", "/v1/games/g_1/seats/me", {"ready": True}, other),
        ("POST", "/v1/games/g_1/start", None, host),
    ]


def test_a_full_store_changes_nothing_says_so_and_goes_on_later(
    client: Any, store: Redis, refused: Refused
) -> None:
    table = seated(client)
    client.get("/v1/me", headers=table.headers[0])  # notes its use
    client.get("/v1/me", headers=table.headers[1])
    before = everything(store)
    store.config_set("maxmemory", 1)
    for method, path, body, headers in changes(table):
        answer = client.open(path, method=method, json=body, headers=headers)
        problem = refused(answer)
        assert (answer.status_code, problem["code"]) == (503, "store_full"), path
        assert (answer.headers["Retry-After"], problem["retry_after_ms"]) == ("5", 5000)
        assert "no room" in problem["detail"]
    assert everything(store) == before
    for path in ("/v1/games/g_1", "/v1/me", "/v1/me/decisions", "/v1/games", "/v1/games/g_1/events"):
        assert client.get(path, headers=table.headers[0]).status_code == 200, path
    assert client.get("/readyz").status_code == 200
    store.config_set("maxmemory", 0)
    for method, path, body, headers in changes(table):
        answer = client.open(path, method=method, json=body, headers=headers)
        assert answer.status_code in (200, 201), (path, answer.json)


def test_tokens_end_also_while_the_store_is_full(client: Any, store: Redis) -> None:
    table = seated(client)
    host = table.headers[0]
    lost = client.post("/v1/me/tokens", json={"name": "lost"}, headers=host).json
    bot = client.post("/v1/me/bots", json={"name": "Max"}, headers=host).json
    store.config_set("maxmemory", 1)
    for path in (f"/v1/me/tokens/{lost['id']}", f"/v1/me/bots/{bot['player']['id']}"):
        assert client.delete(path, headers=host).status_code == 204, path
    for token in (lost["token"], bot["token"]):
        assert client.get("/v1/me", headers={"Authorization": f"Bearer {token}"}).status_code == 401


def test_a_card_that_found_no_room_is_laid_once_there_is_some(
    client: Any, store: Redis, refused: Refused
) -> None:
    table = seated(client).start()
    (owed,) = client.get("/v1/me/decisions", headers=table.headers[0]).json["items"]
    path, answer = f"/v1/games/g_1/decisions/{owed['key']}", {"card": owed["legal"]["cards"][0]}
    before = table.state()
    store.config_set("maxmemory", 1)
    assert refused(client.put(path, json=answer, headers=table.headers[0]))["code"] == "store_full"
    assert table.state() == before
    store.config_set("maxmemory", 0)
    receipt = client.put(path, json=answer, headers=table.headers[0])
    assert receipt.status_code == 200
    assert client.put(path, json=answer, headers=table.headers[0]).json == receipt.json
    assert table.state().seq == before.seq + 1
