"""Fixtures for every kind of test: real servers, started once a session by the service's own launcher."""

import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from hypothesis import settings
from redis import Redis

from service.store import connect
from service.store.embedded import Embedded, Urls, embedded
from tests import searching

settings.load_profile(searching.PROFILE)


@pytest.fixture(scope="session")
def redis_urls(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Urls]:
    """Where the session's two real servers listen: `.games` and `.queue`, as `unix://` URLs."""
    data: Path = tmp_path_factory.mktemp("servers")
    with embedded(data, fsync="no") as servers:
        yield servers.urls


@pytest.fixture
def games_client(redis_urls: Urls) -> Iterator[Redis]:
    """A client of the games server, which is empty when the test begins."""
    with connect.games_client(redis_urls.games, threads=16) as client:
        client.flushall()
        yield client


@pytest.fixture
def queue_client(redis_urls: Urls) -> Iterator[Redis]:
    """A client of the queue's server, which is empty when the test begins."""
    with connect.queue_client(redis_urls.queue) as client:
        client.flushall()
        yield client


@pytest.fixture
def own_servers(tmp_path: Path) -> Iterator[Embedded]:
    """Servers of this test's own, empty, with the settings of production: to stop, to fill and to kill."""
    with embedded(tmp_path / "data") as servers:
        yield servers


@pytest.fixture
def until() -> Callable[[Callable[[], bool]], None]:
    """Waits for a condition that another thread or process brings about, for ten seconds at most."""

    def wait(condition: Callable[[], bool]) -> None:
        deadline = time.monotonic() + 10
        while not condition():
            assert time.monotonic() < deadline, "waited in vain"
            os.sched_yield()

    return wait
