"""The worker as a process: RQ's SimpleWorker on one queue, which runs its jobs in this very process.

A worker that meets trouble it cannot wait out ends; whoever runs it starts it again. See docs/adr/0005.
"""

from __future__ import annotations

from typing import Final

from rq.serializers import JSONSerializer
from rq.worker import SimpleWorker

from service.config import Config
from service.store.connect import queue_client
from service.store.contract import Kind
from worker import connection

JOBS_MAX: Final = 20_000
"""After so many jobs a worker makes place for a fresh one."""


class Worker(SimpleWorker):
    """A SimpleWorker that looks every second whether a queue that went away is back."""

    max_connection_wait_time = 1.0


def work(kind: Kind, config: Config) -> None:
    """Do the jobs of one queue until a signal, trouble, or `JOBS_MAX`.

    On SIGTERM or SIGINT it ends at once when idle, else after the job. Call it in the main thread. Raises ConfigError
    without the two URLs, and `redis.RedisError` when the queue cannot be reached.
    """
    connection.current()
    worker = Worker(
        [kind],
        connection=queue_client(config.queue_url),
        serializer=JSONSerializer,
        maintenance_interval=30,
        job_monitoring_interval=5,
        worker_ttl=60,
        log_job_description=False,
    )
    worker.work(logging_level="WARNING", max_jobs=JOBS_MAX)
