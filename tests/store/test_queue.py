"""Waking the workers: a job that RQ can run, and a queue whose failures hold nobody up."""

import re
import time
from collections.abc import Iterator
from dataclasses import dataclass, field

import pytest
import rq
from redis import Redis
from rq.job import Job
from rq.serializers import JSONSerializer

from service.store import connect, queue
from service.store.connect import Unavailable
from service.store.contract import Kind
from service.store.embedded import Embedded
from service.store.queue import REST_S, Queue


@dataclass
class Log:
    warnings: list[dict[str, str]] = field(default_factory=list)

    def warning(self, event: str, **about: str) -> None:
        self.warnings.append({"event": event, **about})


@dataclass
class Clock:
    now_s: float = 100.0

    def __call__(self) -> float:
        return self.now_s


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> Log:
    fake = Log()
    monkeypatch.setattr(queue, "_log", fake)
    return fake


@pytest.fixture
def own_client(own_servers: Embedded) -> Iterator[Redis]:
    with connect.queue_client(own_servers.urls.queue) as made:
        yield made


def jobs(client: Redis, kind: Kind) -> list[Job]:
    return rq.Queue(kind, connection=client, serializer=JSONSerializer).jobs


@pytest.mark.parametrize(
    ("kind", "function"), [("turns", "worker.jobs.advance"), ("bots", "worker.jobs.play_bots")]
)
def test_a_wake_up_is_a_job_that_names_the_game(queue_client: Redis, kind: Kind, function: str) -> None:
    Queue(queue_client).wake(kind, "g_1")
    (job,) = jobs(queue_client, kind)
    assert (job.func_name, list(job.args), job.kwargs) == (function, ["g_1"], {})
    assert (job.result_ttl, job.failure_ttl, job.timeout) == (0, 3600, 10)
    assert re.fullmatch(r"[A-Za-z0-9_-]+", job.id)


def test_every_wake_up_is_a_job_of_its_own(queue_client: Redis) -> None:
    wakes = Queue(queue_client)
    for _ in range(3):
        wakes.wake("turns", "g_1")
    assert wakes.waiting("turns") == 3
    assert wakes.waiting("bots") == 0
    assert len({job.id for job in jobs(queue_client, "turns")}) == 3


def test_the_job_that_waits_longest_says_since_when(queue_client: Redis) -> None:
    wakes = Queue(queue_client)
    assert wakes.oldest_ms("turns") is None
    before = time.time_ns() // 1_000_000
    wakes.wake("turns", "g_1")
    first = wakes.oldest_ms("turns")
    wakes.wake("turns", "g_2")
    assert first is not None
    assert before <= first <= time.time_ns() // 1_000_000 + 1
    assert wakes.oldest_ms("turns") == first
    assert wakes.oldest_ms("bots") is None


def test_a_queue_that_is_away_is_logged_and_counted_and_left_alone_for_a_while(
    own_servers: Embedded, own_client: Redis, log: Log
) -> None:
    clock = Clock()
    wakes = Queue(own_client, clock)
    for server in own_servers.servers:
        server.stop()
    wakes.wake("turns", "g_1")
    wakes.wake("turns", "g_2")
    assert wakes.failures == 2
    assert [(warning["kind"], warning["game"]) for warning in log.warnings] == [("turns", "g_1")]
    with pytest.raises(Unavailable):
        wakes.waiting("turns")

    own_servers.ensure()
    wakes.wake("turns", "g_3")
    assert (wakes.failures, wakes.waiting("turns")) == (3, 0)
    clock.now_s += REST_S
    wakes.wake("turns", "g_4")
    assert (wakes.failures, wakes.waiting("turns")) == (3, 1)


def test_a_full_queue_leaves_no_half_a_job(own_client: Redis, log: Log) -> None:
    own_client.config_set("maxmemory", 1)
    wakes = Queue(own_client)
    wakes.wake("turns", "g_1")
    assert wakes.failures == len(log.warnings) == 1
    assert own_client.dbsize() == 0
