"""News from the games server: it arrives, survives a restart, and a dead line is noticed."""

import os
import signal
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from queue import SimpleQueue

import pytest
from redis import Redis

from service.store import connect, keys, listener
from service.store.contract import Entry
from service.store.embedded import Embedded
from service.store.hub import Hub
from service.store.listener import Listener
from service.store.players_server import RedisPlayers
from service.store.server import RedisStore

ENTRY = Entry("g_1", 0, 1, b"[]", None, None, "lobby", 0, None, None)


@dataclass
class Log:
    """Keeps the reasons of warnings, to be waited for."""

    reasons: SimpleQueue[str] = field(default_factory=SimpleQueue)

    def warning(self, event: str, error: str) -> None:
        self.reasons.put(f"{event}: {error}")

    error = warning


@pytest.fixture
def log(monkeypatch: pytest.MonkeyPatch) -> Log:
    fake = Log()
    monkeypatch.setattr(listener, "_log", fake)
    return fake


def listening(url: str, *, silence_s: float = 10.0, passing_s: float = 0.03) -> tuple[Hub, Listener]:
    """A hub whose listener has subscribed."""
    hub = Hub()
    ticket = hub.ticket()
    made = Listener(hub, connect.blocking_client(url), silence_s=silence_s, passing_s=passing_s)
    assert hub.wait(["subscribed"], ticket, 10)
    return hub, made


@pytest.fixture
def hub(own_servers: Embedded, log: Log) -> Iterator[Hub]:
    made, ear = listening(own_servers.urls.games)
    yield made
    ear.close()


@pytest.fixture
def client(own_servers: Embedded) -> Iterator[Redis]:
    with connect.games_client(own_servers.urls.games, threads=2) as made:
        yield made


def test_an_append_wakes_who_waits_for_the_game(hub: Hub, client: Redis) -> None:
    ticket = hub.ticket()
    RedisStore(client).append(ENTRY)
    assert hub.wait(["g_1"], ticket, 10)
    assert not hub.wait(["g_2"], ticket, 0)


def test_what_cannot_be_understood_does_not_end_the_listening(hub: Hub, client: Redis, log: Log) -> None:
    ticket = hub.ticket()
    client.publish(keys.WAKE, "g_1")
    assert log.reasons.get(timeout=10) == "listener_failed: ValueError"
    assert hub.wait(["g_2"], ticket, 10), "it listens again, and something may have been missed"
    ticket = hub.ticket()
    RedisStore(client).append(ENTRY)
    assert hub.wait(["g_1"], ticket, 10)


def test_news_of_what_passes_comes_with_what_follows(own_servers: Embedded, log: Log, client: Redis) -> None:
    hub, ear = listening(own_servers.urls.games, passing_s=3600)
    store, ticket = RedisStore(client), hub.ticket()
    store.append(replace(ENTRY, is_passing=True))
    store.append(replace(ENTRY, game="g_2"))
    assert hub.wait(["g_2"], ticket, 10)
    assert not hub.heard(["g_1"], ticket)
    store.append(replace(ENTRY, after=1, seq=2))
    assert hub.wait(["g_1"], ticket, 10)
    ear.close()


def test_news_of_what_passes_comes_alone_when_nothing_follows(hub: Hub, client: Redis) -> None:
    ticket = hub.ticket()
    RedisStore(client).append(replace(ENTRY, is_passing=True))
    assert hub.wait(["g_1"], ticket, 10)


def test_a_new_seat_wakes_who_waits_for_the_player(hub: Hub, client: Redis) -> None:
    ticket = hub.ticket()
    RedisPlayers(client).add_game("p_1", "g_1", 7)
    assert hub.wait(["p_1"], ticket, 10)


def test_after_a_restart_of_the_server_everybody_is_woken_and_news_goes_on(
    hub: Hub, client: Redis, own_servers: Embedded, log: Log
) -> None:
    ticket = hub.ticket()
    games = own_servers.servers[0]
    games.stop()
    assert "listener_disconnected" in log.reasons.get(timeout=10)
    assert not hub.wait(["g_1"], ticket, 0)
    own_servers.ensure()
    assert hub.wait(["g_1"], ticket, 10)
    ticket = hub.ticket()
    RedisStore(client).append(ENTRY)
    assert hub.wait(["g_1"], ticket, 10)


def test_a_quiet_server_is_asked_whether_it_is_there(own_servers: Embedded, client: Redis, log: Log) -> None:
    pid: int = client.info("server")["process_id"]
    hub, ear = listening(own_servers.urls.games, silence_s=0.05)
    os.kill(pid, signal.SIGSTOP)
    try:
        assert "does not answer" in log.reasons.get(timeout=10)
        ticket = hub.ticket()
    finally:
        os.kill(pid, signal.SIGCONT)
    assert hub.wait(["g_1"], ticket, 10)
    ear.close()


def test_a_quiet_server_that_answers_is_kept(
    own_servers: Embedded, client: Redis, log: Log, until: Callable[[Callable[[], bool]], None]
) -> None:
    def pings() -> int:
        calls: int = client.info("commandstats").get("cmdstat_ping", {"calls": 0})["calls"]
        return calls

    _, ear = listening(own_servers.urls.games, silence_s=0.25)  # so long the server may take to answer
    before = pings()
    until(lambda: pings() > before + 2)
    ear.close()
    assert log.reasons.empty()


def test_closing_ends_the_waiting_and_the_thread(own_servers: Embedded) -> None:
    hub, ear = listening(own_servers.urls.games)
    ear.close()
    assert not hub.wait(["g_1"], 0, 60)
