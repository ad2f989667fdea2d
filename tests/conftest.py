"""Fixtures for every kind of test: real servers, started once a session by the service's own launcher."""

from collections.abc import Iterator
from pathlib import Path

import pytest
from redis import Redis

from service.store import connect
from service.store.embedded import Urls, embedded


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
