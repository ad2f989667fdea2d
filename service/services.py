"""The collaborators of the HTTP service: real ones for production, ones in memory for tests and for the document."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from threading import BoundedSemaphore
from typing import Any, Final, Protocol

from flask import current_app

from service.config import Config, ConfigError
from service.followed import Followed
from service.limiter import Limiter
from service.store import connect as connections
from service.store.contract import GameStore, Kind
from service.store.hub import Hub
from service.store.idempotency import Idempotency
from service.store.listener import Listener
from service.store.memory import MemoryStore
from service.store.play import Play
from service.store.players import Players
from service.store.players_memory import MemoryPlayers
from service.store.players_server import RedisPlayers
from service.store.queue import Queue
from service.store.quotas import BUCKETS, Quotas, RedisQuotas
from service.store.recent import Recent
from service.store.server import RedisStore
from service.store.slots import MemorySlots, RedisSlots
from service.streams import Streams

SHOWN_MOST: Final = 8192
"""How many viewers' sights of games are kept: each takes a few KB."""

TOLD_MOST: Final = 256
"""How many tails of logs are kept as streams tell them: each may take 100 KB, and a crowd that is woken wants the same."""


class Waker(Protocol):
    """Whoever tells the workers that a game needs them."""

    def wake(self, kind: Kind, game: str) -> None:
        """Ask a worker of `kind` to look at `game`; never fails, for the sweeper finds what was missed."""
        ...

    def oldest_ms(self, kind: Kind) -> int | None:
        """Return when the longest waiting job was put there, None if none waits; raises Unavailable when that is unknown."""
        ...

    def waiting(self, kind: Kind) -> int:
        """Return how many jobs nobody has begun yet; raises Unavailable when that is unknown."""
        ...


@dataclass(frozen=True, slots=True)
class Services:
    """Everything that a request may need; one instance an application, shared by its threads."""

    config: Config
    games: GameStore
    play: Play
    """The way to change and to read those games."""
    players: Players
    idempotency: Idempotency
    hub: Hub
    queue: Waker
    waiting: BoundedSemaphore
    """One place for every request that may be held at the same time."""
    followed: Followed
    """Those games as streams read them."""
    streams: Streams
    """One place for every stream."""
    shown: Recent[Any]
    """What viewers were shown of games lately."""
    told: Recent[Any]
    """What streams told of them lately."""
    limiter: Limiter
    """Who asks how much."""
    close: Callable[[], None]
    """Sends every held request home and lets go of all connections; to be called once, when the process ends."""


class NoQueue:
    """A queue without workers, which forgets every wake-up: for tests that play the worker, and for the document."""

    def wake(self, kind: Kind, game: str) -> None:
        """Do nothing."""

    def oldest_ms(self, kind: Kind) -> int | None:
        """Return none."""
        return None

    def waiting(self, kind: Kind) -> int:
        """Return zero."""
        return 0


def in_memory(config: Config | None = None) -> Services:
    """Return services that keep everything in this process, gone with it."""
    config = config or Config()
    hub = Hub()
    games, queue = MemoryStore(hub.notify), NoQueue()
    play = Play(games, queue, grace_ms=config.grace_ms)
    return Services(
        config=config,
        games=games,
        play=play,
        players=MemoryPlayers(hub.notify),
        idempotency=Idempotency(MemorySlots()),
        hub=hub,
        queue=queue,
        waiting=BoundedSemaphore(config.max_waiting),
        followed=Followed(play, hub),
        streams=_streams(config, hub),
        shown=Recent(SHOWN_MOST),
        told=Recent(TOLD_MOST),
        limiter=_limiter(config, None),
        close=hub.close,
    )


def connect(config: Config) -> Services:
    """Return the services of production, on the servers that `config` names; call it after forking.

    Nothing is reached yet but by the hub's own thread, which keeps trying.  Raises ConfigError without the two URLs.
    """
    if not config.redis_url or not config.queue_url:
        raise ConfigError("TAKE5_REDIS_URL and TAKE5_QUEUE_URL must both be set")
    client = connections.games_client(config.redis_url, config.store_connections)
    news = connections.blocking_client(config.redis_url)
    jobs = connections.queue_client(config.queue_url)
    counts = connections.limits_client(config.queue_url)
    games, queue, hub = RedisStore(client), Queue(jobs), Hub()
    play = Play(games, queue, grace_ms=config.grace_ms)
    listener = Listener(hub, news, on_return=play.forget)

    def close() -> None:
        listener.close()
        for connection in (client, news, jobs, counts):
            connection.close()

    return Services(
        config=config,
        games=games,
        play=play,
        players=RedisPlayers(client),
        idempotency=Idempotency(RedisSlots(client)),
        hub=hub,
        queue=queue,
        waiting=BoundedSemaphore(config.max_waiting),
        followed=Followed(play, hub),
        streams=_streams(config, hub),
        shown=Recent(SHOWN_MOST),
        told=Recent(TOLD_MOST),
        limiter=_limiter(config, RedisQuotas(counts)),
        close=close,
    )


def _limiter(config: Config, quotas: Quotas | None) -> Limiter:
    return Limiter({bucket: config.rate(bucket) for bucket in BUCKETS}, quotas)


def _streams(config: Config, hub: Hub) -> Streams:
    return Streams(
        config.max_streams, config.max_streams_per_token, config.max_streams_per_address, hub.notify
    )


def current() -> Services:
    """Return the services of the application that serves the current request."""
    services: Services = current_app.extensions["take5"]
    return services


def link(path: str) -> str:
    """Return the address of `path` for clients: below the public URL where that is known, else relative to this host."""
    return current().config.public_url + path
