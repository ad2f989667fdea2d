"""The worker as a process: RQ's SimpleWorker on one queue, which runs its jobs in this very process.

A worker waits for a queue that is away. One that meets trouble it cannot wait out ends; whoever runs it starts it again.
See docs/adr/0005.
"""

from __future__ import annotations

import signal
import time
from collections.abc import Callable
from types import FrameType
from typing import Final

import structlog
from redis import Redis
from rq.serializers import JSONSerializer
from rq.worker import SimpleWorker

from service.config import Config
from service.store.connect import Unavailable, queue_client, reaching
from service.store.contract import Kind
from worker import connection

JOBS_MAX: Final = 20_000
"""After so many jobs a worker makes place for a fresh one."""


_REST_S: Final = 1.0

_log = structlog.get_logger(__name__)


class Worker(SimpleWorker):
    """A SimpleWorker that looks every second whether a queue that went away is back."""

    max_connection_wait_time = _REST_S


def work(kind: Kind, config: Config, rest: Callable[[float], object] = time.sleep) -> None:
    """Do the jobs of one queue until a signal, trouble, or `JOBS_MAX`; `rest` waits so many seconds for an absent queue.

    On SIGTERM or SIGINT it ends at once when idle, else after the job. Call it in the main thread. Raises ConfigError
    without the two URLs, and Unavailable when the queue goes away while it is needed.
    """
    connection.current()
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, _leave)  # RQ takes both over when the worker has its name in the queue
    client = queue_client(config.queue_url)
    _log.info("worker_started", queue=kind)
    _await(client, rest)
    with reaching():
        worker = Worker(
            [kind],
            connection=client,
            serializer=JSONSerializer,
            maintenance_interval=30,
            job_monitoring_interval=5,
            worker_ttl=60,
            log_job_description=False,
        )
        worker.work(logging_level="WARNING", max_jobs=JOBS_MAX)


def _leave(number: int, frame: FrameType | None) -> None:
    raise SystemExit(0)


def _await(queue: Redis, rest: Callable[[float], object]) -> None:
    """Return once the queue answers, saying each time that it does not."""
    while True:
        try:
            with reaching():
                queue.ping()
        except Unavailable as error:
            _log.warning("worker_waits", reason=error.reason)
            rest(_REST_S)
        else:
            return
