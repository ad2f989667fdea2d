"""Stores of games and of players, in memory and on a real server."""

from collections.abc import Callable

import pytest
from redis import Redis

from service.store.contract import GameStore
from service.store.memory import MemoryStore
from service.store.players import Players
from service.store.players_memory import MemoryPlayers
from service.store.players_server import RedisPlayers
from service.store.server import RedisStore


@pytest.fixture(params=["memory", "server"])
def reopen(request: pytest.FixtureRequest) -> Callable[[], Players]:
    """Gives the same players as another process would see them."""
    if request.param == "memory":
        memory = MemoryPlayers()
        return lambda: memory
    client: Redis = request.getfixturevalue("games_client")
    return lambda: RedisPlayers(client)


@pytest.fixture(params=["memory", "server"])
def store(request: pytest.FixtureRequest) -> GameStore:
    """A store of games."""
    if request.param == "memory":
        return MemoryStore()
    client: Redis = request.getfixturevalue("games_client")
    return RedisStore(client)
