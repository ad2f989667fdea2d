"""What stands here is asked of the API on both stores: the one in memory and the real one."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from threading import Thread
from typing import Any

import pytest

from tests.api.kinds import MakePlayer


@pytest.fixture(params=["memory", "server"])
def client(request: pytest.FixtureRequest) -> Any:
    """A client of an application on one of them, without a token."""
    if request.param == "server":
        return request.getfixturevalue("real_client")
    return request.getfixturevalue("app").test_client()


@pytest.fixture
def ada(player: MakePlayer) -> dict[str, str]:
    """A player: the owner, or the host."""
    return player("Ada")


@pytest.fixture
def waiter(client: Any) -> Iterator[Callable[..., list[Any]]]:
    """Asks from another thread and returns where the answer will be."""
    threads: list[Thread] = []

    def ask(url: str, headers: dict[str, str] | None = None) -> list[Any]:
        answers: list[Any] = []
        other = client.application.test_client()
        threads.append(Thread(target=lambda: answers.append(other.get(url, headers=headers))))
        threads[-1].start()
        return answers

    yield ask
    for thread in threads:
        thread.join(10)
        assert not thread.is_alive()
