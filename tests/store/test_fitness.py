"""Servers that would lose games: each way is told once, and nothing of what a server does not say."""

from collections.abc import Callable
from threading import Event
from typing import Any

import pytest
from structlog.testing import capture_logs

from service.store import connect, fitness
from service.store.embedded import Embedded


def asleep(seconds: float) -> None:
    """Nobody waits in vain here."""
    raise AssertionError


def told(games: str, queue: str, rest: Callable[[float], object] = asleep) -> list[str]:
    """What is logged of two servers, by their addresses: for each warning the store and the first word."""
    with capture_logs() as lines:
        fitness.tell(games, queue, rest)
    assert {(line["event"], line["log_level"]) for line in lines} <= {("store_misconfigured", "warning")}
    return [f"{line['store']} {line['why'].partition(' ')[0]}" for line in lines]


def test_nothing_is_said_of_the_servers_that_we_bring_ourselves(own_servers: Embedded) -> None:
    assert told(own_servers.urls.games, own_servers.urls.queue) == []


def test_each_way_in_which_a_server_would_lose_games_is_told(own_servers: Embedded) -> None:
    games, queue = own_servers.urls.games, own_servers.urls.queue
    assert told(games, games) == ["queue it"]
    with connect.games_client(games, threads=1) as client:
        client.config_set("maxmemory-policy", "allkeys-lru")
        assert told(games, queue) == ["games maxmemory-policy"]
        client.config_set("appendonly", "no")
        assert told(games, games) == ["games appendonly", "games maxmemory-policy", "queue it"]


def test_a_server_that_does_not_say_how_it_is_set_up_is_not_suspected(own_servers: Embedded) -> None:
    games = own_servers.urls.games
    with connect.games_client(games, threads=1) as client:
        client.config_set("appendonly", "no")
        client.execute_command("ACL", "SETUSER", "default", "-info", "-config")
        assert told(games, games) == []


@pytest.mark.parametrize(
    "said", [{}, {"run_id": ""}, {"aof_enabled": 1, "maxmemory_policy": "noeviction", "run_id": "a"}]
)
def test_what_is_not_known_is_no_fault(said: dict[str, Any]) -> None:
    assert fitness.doubts(said) == []
    assert not fitness.is_same(said, {**said, "run_id": said.get("run_id", "") and "b"})


def test_a_server_that_is_away_is_asked_again_later(own_servers: Embedded) -> None:
    waited: list[float] = []

    def rest(seconds: float) -> None:
        waited.append(seconds)
        if len(waited) == 2:
            own_servers.servers[0].start()

    own_servers.servers[0].stop()
    assert told(own_servers.urls.games, own_servers.urls.games, rest) == ["queue it"]
    assert waited == [fitness.AGAIN_S] * 2


def test_nobody_waits_for_it(monkeypatch: pytest.MonkeyPatch) -> None:
    asked, answered = Event(), Event()

    def tell(games_url: str, queue_url: str) -> None:
        assert (games_url, queue_url) == ("games", "queue")
        asked.set()
        answered.wait(10)

    monkeypatch.setattr(fitness, "tell", tell)
    fitness.tell_soon("games", "queue")
    assert asked.wait(10)
    answered.set()
