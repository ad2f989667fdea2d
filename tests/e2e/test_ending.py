"""SIGTERM to each part alone, and to all of them: it finishes what it is doing, and ends in time and in order."""

from __future__ import annotations

import signal
import socket
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from pathlib import Path
from urllib.parse import urlsplit

import pytest
import rq
from redis import Redis

from engine import commands as c
from service.config import Config
from service.store.contract import Kind
from service.store.embedded import Urls
from service.store.moments import now
from take5.client import Client
from tests.api.test_health import overdue
from tests.api.test_metrics import of
from tests.bench.servers import await_answer
from tests.cli.test_admin import opened
from tests.e2e.parts import part
from tests.e2e.serving import free_port, processes, start, stop
from tests.e2e.test_metrics import TOKEN, figures
from worker.bots import play_bots
from worker.connection import Connection, connected

Until = Callable[[Callable[[], bool]], None]


@pytest.fixture
def at(redis_urls: Urls, games_client: Redis, queue_client: Redis) -> Connection:
    """The stores of the parts, empty when the test begins."""
    return connected(Config(redis_url=redis_urls.games, queue_url=redis_urls.queue))


@contextmanager
def unable_to_write(store: Redis) -> Iterator[None]:
    """Let whoever writes to a store wait until the block ends."""
    store.client_pause(60_000, all=False)
    try:
        yield
    finally:
        store.client_unpause()


def asked(url: str, path: str, method: str = "GET", body: bytes = b"", **headers: str) -> socket.socket:
    """A connection on which somebody has asked, and reads nothing yet."""
    address = urlsplit(url)
    line = socket.create_connection((address.hostname or "", address.port or 80), timeout=30)
    if body:
        headers |= {"Content-Type": "application/json", "Content-Length": str(len(body))}
    head = "".join(f"{name}: {value}\r\n" for name, value in {"Host": "x", **headers}.items())
    line.sendall(f"{method} {path} HTTP/1.1\r\n{head}\r\n".encode() + body)
    return line


def all_of(line: socket.socket) -> bytes:
    """Everything that comes until the other side closes."""
    with line:
        return b"".join(iter(lambda: line.recv(65536), b""))


@contextmanager
def waiting(url: str, until: Until) -> Iterator[tuple[socket.socket, socket.socket]]:
    """Somebody whose request is held, and somebody who reads a stream."""
    with Client.signed_up(url, "ada") as ada:
        game = ada.create_game(ruleset="classic", seats=2)["id"]
        with (
            asked(url, "/v1/me/decisions?wait=25", Authorization=f"Bearer {ada.token}") as held,
            asked(url, f"/v1/games/{game}/events", Accept="text/event-stream") as stream,
        ):
            for name in ("take5_held_requests", "take5_stream_readers"):
                until(lambda name=name: of(figures(url), name) == 1)  # type: ignore[misc]  # mypy infers no default of a lambda
            yield held, stream


def assert_in_order(held: socket.socket, stream: socket.socket) -> None:
    """The held request has its answer, and the stream its end."""
    assert all_of(held).startswith(b"HTTP/1.1 200")
    told = all_of(stream)
    assert told.startswith(b"HTTP/1.1 200")
    assert told.endswith(b"\r\n0\r\n\r\n")


@pytest.mark.parametrize("count", [1, 2])
def test_an_api_answers_those_whom_it_holds_and_ends_their_streams(
    redis_urls: Urls, at: Connection, tmp_path: Path, until: Until, count: int
) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    arguments = ("api", "--port", str(port), "--processes", str(count))
    with part(redis_urls, tmp_path / "log", *arguments, TAKE5_METRICS_TOKEN=TOKEN) as api:
        await_answer(f"{url}/readyz")
        with waiting(url, until) as lines:
            api.terminate()
            assert api.ended() == 0
            assert_in_order(*lines)


def test_who_asks_for_nothing_does_not_keep_an_api_from_its_end(
    redis_urls: Urls, tmp_path: Path, until: Until
) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    with part(redis_urls, tmp_path / "log", "api", "--port", str(port)) as api:
        await_answer(f"{url}/readyz")
        with (
            socket.create_connection(("127.0.0.1", port)),
            socket.create_connection(("127.0.0.1", port)) as half,
            asked(url, "/v1/limits") as kept,
        ):
            assert kept.recv(9) == b"HTTP/1.1 "
            half.sendall(b"POST /v1/players HTTP/1.1\r\n")
            began_s = time.monotonic()
            api.terminate()
            until(lambda: is_refused(port))
            assert api.process.poll() is None
            assert api.ended() == 0
            assert time.monotonic() - began_s < 9


def is_refused(port: int) -> bool:
    """Whether nobody listens at a port any more."""
    with socket.socket() as line:
        return line.connect_ex(("127.0.0.1", port)) != 0


def test_an_api_answers_a_request_that_it_is_at_work_on(
    redis_urls: Urls, at: Connection, games_client: Redis, tmp_path: Path, until: Until
) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    body = b'{"name": "cy", "kind": "human"}'
    with part(redis_urls, tmp_path / "log", "api", "--port", str(port)) as api:
        await_answer(f"{url}/readyz")
        with asked(url, "/v1/players", "POST", body) as line:
            with unable_to_write(games_client):
                until(lambda: games_client.info("clients")["blocked_clients"] == 1)
                api.terminate()
            assert api.ended() == 0
            assert all_of(line).startswith(b"HTTP/1.1 201")


@pytest.mark.parametrize("kind", ["turns", "bots"])
def test_a_worker_without_a_job_ends_at_once(
    redis_urls: Urls, queue_client: Redis, tmp_path: Path, until: Until, kind: Kind
) -> None:
    with part(redis_urls, tmp_path / "log", "worker", "--queue", kind) as worker:
        until(lambda: states(queue_client) == ["idle"])
        worker.terminate()
        assert worker.ended() == 0
    assert states(queue_client) == []


def states(queue: Redis) -> list[str]:
    """What the workers say that they are doing."""
    return [worker.get_state() for worker in rq.Worker.all(connection=queue)]


@pytest.mark.parametrize("kind", ["turns", "bots"])
def test_a_worker_finishes_its_job_before_it_ends(
    redis_urls: Urls,
    at: Connection,
    games_client: Redis,
    queue_client: Redis,
    tmp_path: Path,
    until: Until,
    kind: Kind,
) -> None:
    game = opened(at)
    for seat in (0, 1):
        at.play.execute("g_1", c.LayCard(seat, 1, 1, game.hands[seat][0]))
    if kind == "turns":
        play_bots(at.play, "g_1")  # lays the last card
    queue_client.flushall()
    at.queue.wake(kind, "g_1")
    before = at.play.live("g_1").game.seq
    with part(redis_urls, tmp_path / "log", "worker", "--queue", kind) as worker:
        with unable_to_write(games_client):
            until(lambda: states(queue_client) == ["busy"])
            worker.terminate()
        assert worker.ended() == 0
    assert at.play.live("g_1").game.seq > before
    assert at.queue.waiting(kind) == 0


def test_a_clock_finishes_its_look_before_it_ends(
    redis_urls: Urls, at: Connection, games_client: Redis, tmp_path: Path, until: Until
) -> None:
    at.store.append(overdue("g_1", "turns", 1000))
    began = now()
    with part(redis_urls, tmp_path / "log", "clock") as clock:
        with unable_to_write(games_client):
            until(lambda: at.queue.waiting("turns") == 1)
            clock.terminate()
        assert clock.ended() == 0
    assert at.store.due("turns", began, 9) == []


def test_the_whole_service_ends_in_order_while_somebody_waits_and_a_game_is_played(
    tmp_path: Path, until: Until
) -> None:
    served = start(tmp_path / "data", tmp_path / "log", metrics_token=TOKEN)
    family = served.family()
    with Client.signed_up(served.url, "bo") as bo:
        game = bo.create_game(ruleset="classic", seats=2, end={"rounds": 50}, seat_me=False)["id"]
        for seat in range(2):
            bo.seat_bot(game, seat)
        bo.start(game)
        until(lambda: bo.game(game)["turn"] > 1)
        with waiting(served.url, until) as lines:
            assert stop(served, signal.SIGTERM) == 0
            assert_in_order(*lines)
    until(lambda: not family & {pid for pid, _, command in processes() if "<defunct>" not in command})
    words = (tmp_path / "log").read_text().splitlines()
    assert words[-1] == "Ending; the games stay."
    assert not [line for line in words if line.startswith("Traceback") or '"level": "error"' in line]
