"""Two API processes, two workers and a clock on stores of their own, and requests that reach them at the same instant."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass, field
from http.client import HTTPResponse
from pathlib import Path
from typing import Any, Final

from engine.log import Envelope
from service.store import connect
from service.store.embedded import Urls, embedded
from service.store.play import Play
from service.store.server import RedisStore

TAKE5: Final = (sys.executable, "-m", "take5.cli")
APIS: Final = 2
BUCKETS: Final = ("READING", "LAYING", "WRITING", "CREATING", "STREAMS", "EXPORTS")
TOGETHER_MS: Final = 5.0
"""Requests that leave within this time are sent together."""


@dataclass(frozen=True, slots=True)
class Ask:
    """One request of somebody's, by the token."""

    token: str
    method: str
    path: str
    body: Any = None
    key: str = ""
    """An idempotency key, if there is one."""


@dataclass(frozen=True, slots=True)
class Answer:
    """What came back."""

    status: int
    json: Any
    headers: dict[str, str]

    @property
    def code(self) -> str:
        """The code of a problem; empty for anything else."""
        return str(self.json["code"]) if self.status >= 400 else ""


@dataclass(slots=True)
class Fleet:
    """The processes, by the ports of the API, and how far apart the requests left that were sent together."""

    ports: tuple[int, ...]
    urls: Urls
    play: Play
    spreads_ms: list[float] = field(default_factory=list)

    def together(self, *asks: Ask) -> list[Answer]:
        """Send requests at the same instant, to the processes by turns, and return the answers in the same order.

        Every request but for its last byte is there before; then the last bytes follow each other.
        """
        with ExitStack() as lines:
            sockets = [
                lines.enter_context(_connected(self.ports[number % len(self.ports)]))
                for number in range(len(asks))
            ]
            written = [_written(ask) for ask in asks]
            for line, request in zip(sockets, written, strict=True):
                line.sendall(request[:-1])
            begun = time.perf_counter()
            for line, request in zip(sockets, written, strict=True):
                line.sendall(request[-1:])
            self.spreads_ms.append(1000 * (time.perf_counter() - begun))
            return [_answer(line, ask.method) for line, ask in zip(sockets, asks, strict=True)]

    def ask(
        self, token: str, method: str, path: str, body: Any = None, *, process: int = 0, key: str = ""
    ) -> Answer:
        """Send one request to one process."""
        with _connected(self.ports[process]) as line:
            line.sendall(_written(Ask(token, method, path, body, key)))
            return _answer(line, method)

    def sign_up(self, name: str = "ada", kind: str = "human") -> str:
        """Return the token of a new player."""
        return str(self.done("", "POST", "/v1/players", {"name": name, "kind": kind})["token"])

    def done(self, token: str, method: str, path: str, body: Any = None) -> Any:
        """Return what a request is answered that must succeed."""
        answer = self.ask(token, method, path, body)
        assert answer.status < 300, answer
        return answer.json

    def opened(self, token: str, **options: Any) -> str:
        """Open a table and return its id."""
        wanted = {"ruleset": "classic", "pace": "untimed", "accept_bots": True, **options}
        return str(self.done(token, "POST", "/v1/games", wanted)["id"])

    def started(self, *tokens: str, **options: Any) -> str:
        """Return a game that these players have begun, each on the seat of its number."""
        game = self.opened(tokens[0], seats=len(tokens), **options)
        for token in tokens[1:]:
            self.done(token, "POST", f"/v1/games/{game}/seats", {"accept_bots": True})
        self.done(tokens[0], "POST", f"/v1/games/{game}/start")
        return game

    def owed(self, token: str, game: str, wait: int = 20) -> list[Any]:
        """Return what a player owes in a game; waits until it is something."""
        path = f"/v1/me/decisions?game={game}&wait={wait}"
        items: list[Any] = self.done(token, "GET", path)["items"]
        return items

    def cards(self, tokens: Sequence[str], game: str) -> list[Any]:
        """Return the card that each player owes next, after the rows that must be chosen before."""
        found: dict[str, Any] = {}
        while len(found) < len(tokens):
            for token in tokens:
                items = self.owed(token, game, wait=0)
                for item in items:
                    if item["kind"] == "row":
                        self.done(token, "PUT", answer_path(item), {"row": 0})
                    elif item["kind"] == "card":
                        found[token] = item
        return [found[token] for token in tokens]

    def log(self, game: str) -> list[Envelope]:
        """Return the whole log of a game, all parts open."""
        return self.play.log(game)


def answer_path(decision: Any) -> str:
    """Return where a decision is answered."""
    return f"/v1/games/{decision['game']}/decisions/{decision['key']}"


def lay(token: str, decision: Any, index: int = 0) -> Ask:
    """Return the request that lays one of a decision's cards."""
    return Ask(token, "PUT", answer_path(decision), {"card": decision["legal"]["cards"][index]})


@contextmanager
def running() -> Iterator[Fleet]:
    """The processes while the block lasts."""
    with ExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="take5-fleet-")))
        urls = stack.enter_context(embedded(data, fsync="no")).urls
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("TAKE5_")},
            "TAKE5_REDIS_URL": urls.games,
            "TAKE5_QUEUE_URL": urls.queue,
            "TAKE5_LOG_LEVEL": "warning",
            "TAKE5_GAMES_PER_PLAYER": "100000",
            **{f"TAKE5_RATE_{bucket}": "none" for bucket in BUCKETS},
        }
        ports = tuple(_free_port() for _ in range(APIS))
        commands = [
            *((*TAKE5, "api", "--port", str(port)) for port in ports),
            *[(*TAKE5, "worker", "--queue", "turns")] * 2,
            (*TAKE5, "clock"),
        ]
        for command in commands:
            stack.callback(_end, subprocess.Popen(command, env=environment))
        client = stack.enter_context(connect.games_client(urls.games, threads=4))
        fleet = Fleet(ports, urls, Play(RedisStore(client), _Nobody()))
        for port in ports:
            _await(port)
        yield fleet


class _Nobody:
    """Wakes nobody: the tests only read."""

    def wake(self, kind: str, game: str) -> None:
        """Do nothing."""


@contextmanager
def _connected(port: int) -> Iterator[socket.socket]:
    with socket.create_connection(("127.0.0.1", port), timeout=60) as line:
        line.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        yield line


def _written(ask: Ask) -> bytes:
    body = b"" if ask.body is None else json.dumps(ask.body).encode()
    headers = {
        "Host": "127.0.0.1",
        "Connection": "close",
        "Content-Length": str(len(body)),
        **({"Authorization": f"Bearer {ask.token}"} if ask.token else {}),
        **({"Content-Type": "application/json"} if body else {}),
        **({"Idempotency-Key": ask.key} if ask.key else {}),
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"{ask.method} {ask.path} HTTP/1.1\r\n{head}\r\n".encode() + body


def _answer(line: socket.socket, method: str) -> Answer:
    with HTTPResponse(line, method=method) as response:
        response.begin()
        body = response.read()
        return Answer(response.status, json.loads(body) if body else None, dict(response.getheaders()))


def _free_port() -> int:
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def _await(port: int) -> None:
    give_up = time.monotonic() + 60
    while True:
        try:
            with _connected(port) as line:
                line.sendall(_written(Ask("", "GET", "/readyz")))
                if _answer(line, "GET").status == 200:
                    return
        except OSError:
            pass
        if time.monotonic() > give_up:
            raise RuntimeError("the API did not start")
        time.sleep(0.05)


def _end(process: subprocess.Popen[bytes]) -> None:
    process.terminate()
    try:
        process.wait(20)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()
