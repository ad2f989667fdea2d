"""What the jobs and the clock of one process work with, made when it is first needed.

RQ calls a job with nothing but its arguments, so what every job needs lives here, once a process.
"""

from __future__ import annotations

import os
from dataclasses import dataclass
from functools import cache

from service.config import Config, ConfigError, from_environment
from service.store import connect
from service.store.contract import GameStore
from service.store.play import Play
from service.store.players import Players
from service.store.players_server import RedisPlayers
from service.store.queue import Queue
from service.store.server import RedisStore


@dataclass(frozen=True, slots=True)
class Connection:
    """The games and the queue, the one way to change a game, and who plays."""

    store: GameStore
    queue: Queue
    play: Play
    players: Players


@cache
def current() -> Connection:
    """The connection of this process, to the servers that its environment names; raises ConfigError without them."""
    return connected(from_environment(os.environ))


def connected(config: Config) -> Connection:
    """A connection to the servers that `config` names; raises ConfigError without them. Nothing is reached yet."""
    if not config.redis_url or not config.queue_url:
        raise ConfigError("TAKE5_REDIS_URL and TAKE5_QUEUE_URL must both be set")
    games = connect.games_client(config.redis_url, threads=1)
    store = RedisStore(games)
    queue = Queue(connect.queue_client(config.queue_url))
    return Connection(store, queue, Play(store, queue, grace_ms=config.grace_ms), RedisPlayers(games))
