"""Connections to Redis with settings that were measured, and one error for everything that will pass.

redis-py's defaults wait too long, repeat too often and refuse the 101st thread; every client of the service is made here
instead.  Clients speak bytes: nothing in the store decodes what it does not own.
"""

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager
from typing import Any

from redis import BlockingConnectionPool, ConnectionPool, Redis, exceptions as redis_errors
from redis.backoff import ExponentialWithJitterBackoff, NoBackoff
from redis.retry import Retry

from service.metrics import UNAVAILABLE

PATIENCE_S = 2.0
"""How long to wait for a connection, for a free one in the pool, and for an answer."""

QUEUE_PATIENCE_S = 0.5
"""The same for the job queue."""

LIMITS_PATIENCE_S = 0.1
"""The same for the counts of requests, which the service can do without."""

RETRIES = 3
"""How often a command is repeated when the server did not answer; so every write must bear repeating."""

SPARE_CONNECTIONS = 8
"""Connections beside one a thread, for the hub and whatever runs in the background."""

_PASSING = (
    redis_errors.ConnectionError,
    redis_errors.TimeoutError,
    redis_errors.ReadOnlyError,
    redis_errors.NoScriptError,  # it was told the script a moment ago, so it keeps being started again
    redis_errors.ClusterError,
    redis_errors.TryAgainError,
    redis_errors.AskError,
    redis_errors.RedisClusterException,
)
_PASSING_CODES = frozenset({"BUSY", "MISCONF", "NOREPLICAS", "UNBLOCKED", "FAILOVER"})


class Unavailable(Exception):
    """The store cannot answer now, and may soon: it is away, loading, failing over, or full.

    Nothing was half-written, but a write may have been done without our hearing of it, so it must be repeated as it was.
    `retry_after_ms` says when trying again makes sense.
    """

    def __init__(self, reason: str, retry_after_ms: int = 1000) -> None:
        """Keep the reason for the log; it may name hosts, so it is never shown to a client."""
        super().__init__(reason)
        self.reason = reason
        self.retry_after_ms = retry_after_ms


class StoreFull(Unavailable):
    """The store has no room for anything new: what is there can be read, and nothing can be changed."""


class _Repeated(Retry):
    """Repeats a command when it fails, and nothing within it by itself.

    redis-py repeats connecting, and the ping after a silence, inside of each attempt at a command: a server that is frozen
    would be waited for sixteen times instead of four.
    """

    def call_with_retry(self, do: Callable[[], Any], *args: Any, **kwargs: Any) -> Any:
        """Return what `do` returns at last; see `Retry.call_with_retry`."""
        if getattr(_here, "is_repeating", False):
            return Retry(NoBackoff(), 0).call_with_retry(do, *args, **kwargs)
        _here.is_repeating = True
        try:
            return super().call_with_retry(do, *args, **kwargs)
        finally:
            _here.is_repeating = False


_here = threading.local()


@contextmanager
def reaching() -> Generator[None]:
    """Turn whatever Redis raises when it cannot serve us for now into `Unavailable`; as a block or as a decorator.

    Errors that waiting does not mend (a wrong type, a broken script) pass through unchanged.
    """
    try:
        yield
    except redis_errors.OutOfMemoryError as error:
        UNAVAILABLE.labels("full").inc()
        raise StoreFull(f"the store is full: {error}", retry_after_ms=5000) from error
    except _PASSING as error:
        UNAVAILABLE.labels("away").inc()
        raise Unavailable(f"the store is away: {error}") from error
    except redis_errors.ResponseError as error:
        if str(error).partition(" ")[0] not in _PASSING_CODES:
            raise
        UNAVAILABLE.labels("held up").inc()
        raise Unavailable(f"the store is held up: {error}") from error


def games_client(url: str, threads: int, *, patience_s: float = PATIENCE_S) -> Redis:
    """Return the client that a process with so many threads shares for reading and writing games.

    `url` is `redis://`, `rediss://` or `unix://`; raises ValueError for any other.  Nothing connects yet.
    """
    pool = BlockingConnectionPool.from_url(
        url,
        max_connections=threads + SPARE_CONNECTIONS,
        timeout=patience_s,
        socket_timeout=patience_s,
        socket_connect_timeout=patience_s,
        retry=_Repeated(ExponentialWithJitterBackoff(cap=0.2, base=0.02), RETRIES),
        health_check_interval=30,
    )
    return Redis.from_pool(pool)


def blocking_client(url: str) -> Redis:
    """Return a client for the one thread that listens: nothing is repeated, since what was missed must be known.

    Connecting takes `PATIENCE_S` at most; how long to wait for a message is said at every reading.
    """
    pool = ConnectionPool.from_url(
        url,
        socket_timeout=PATIENCE_S,
        socket_connect_timeout=PATIENCE_S,
        retry=Retry(NoBackoff(), 0),
    )
    return Redis.from_pool(pool)


def queue_client(url: str) -> Redis:
    """Return the client for the job queue; apart from the games' client, because RQ changes the pool it is given.

    It waits less for an answer, since nobody should be held up by a queue.
    """
    return games_client(url, SPARE_CONNECTIONS, patience_s=QUEUE_PATIENCE_S)


def limits_client(url: str) -> Redis:
    """Return the client for counting requests: it repeats nothing and waits for hardly anything."""
    pool = BlockingConnectionPool.from_url(
        url,
        max_connections=SPARE_CONNECTIONS,
        timeout=LIMITS_PATIENCE_S,
        socket_timeout=LIMITS_PATIENCE_S,
        socket_connect_timeout=LIMITS_PATIENCE_S,
        retry=Retry(NoBackoff(), 0),
    )
    return Redis.from_pool(pool)
