"""Waking the workers: a job in RQ's queue that names a game, started by name and never by import.

A job is only the quick way.  What must be done stands in the store's due times, and the sweeper makes lost jobs again; so a
queue that is away costs latency and nothing else, and the caller never hears of it.
"""

import time
from collections.abc import Callable
from typing import Final

import rq
import structlog
from redis import Redis, exceptions as redis_errors
from rq.serializers import JSONSerializer

from service.metrics import WAKE_FAILURES
from service.store.connect import reaching
from service.store.contract import Kind

JOBS: Final[dict[Kind, str]] = {"turns": "worker.jobs.advance", "bots": "worker.jobs.play_bots"}
"""The function each kind of worker runs, by its full name; its one argument is the id of a game."""

REST_S = 1.0
"""How long a queue that failed is left alone; the sweeper bridges longer gaps."""

_log = structlog.get_logger(__name__)


class Queue:
    """Where jobs are put; one for a process.  `failures` counts the wake-ups that were not delivered."""

    def __init__(self, client: Redis, clock: Callable[[], float] = time.monotonic) -> None:
        """Use a client of `connect.queue_client`, which nobody else uses; `clock` gives seconds."""
        self._client = client
        self._queues = {kind: rq.Queue(kind, connection=client, serializer=JSONSerializer) for kind in JOBS}
        self._clock = clock
        self._resting_until = 0.0
        self.failures = 0

    def wake(self, kind: Kind, game: str) -> None:
        """Have a worker look at a game soon; a failure is logged and counted, and left to the sweeper."""
        if self._clock() < self._resting_until:
            self._count_failure(kind)
            return
        try:
            self._enqueue(kind, game)
        except redis_errors.RedisError as error:
            self._count_failure(kind)
            self._resting_until = self._clock() + REST_S
            _log.warning("wake_failed", kind=kind, game=game, error=str(error))

    def _count_failure(self, kind: Kind) -> None:
        self.failures += 1
        WAKE_FAILURES.labels(kind).inc()

    def _enqueue(self, kind: Kind, game: str) -> None:
        with self._client.pipeline() as pipe:  # one round trip instead of two
            self._queues[kind].enqueue(
                JOBS[kind], game, pipeline=pipe, result_ttl=0, failure_ttl=3600, job_timeout=10
            )
            pipe.execute()

    @reaching()
    def oldest_ms(self, kind: Kind) -> int | None:
        """Return when the job was put there that waits longest, in milliseconds since the epoch; None if none waits.

        Raises Unavailable when the queue is away.
        """
        waiting = self._queues[kind].get_jobs(0, 1)
        put = waiting[0].enqueued_at if waiting else None
        return round(put.timestamp() * 1000) if put else None

    @reaching()
    def waiting(self, kind: Kind) -> int:
        """Return how many jobs nobody has begun yet; raises Unavailable when the queue is away."""
        return self._queues[kind].count
