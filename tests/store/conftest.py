"""Stores of players, in memory and on a real server."""

from collections.abc import Callable

import pytest
from redis import Redis

from service.store.players import Players
from service.store.players_memory import MemoryPlayers
from service.store.players_server import RedisPlayers


@pytest.fixture(params=["memory", "server"])
def reopen(request: pytest.FixtureRequest) -> Callable[[], Players]:
    """Gives the same players as another process would see them."""
    if request.param == "memory":
        memory = MemoryPlayers()
        return lambda: memory
    client: Redis = request.getfixturevalue("games_client")
    return lambda: RedisPlayers(client)
