"""A crowd of clients in one thread: tables that play, requests that are held, streams that are read."""

from __future__ import annotations

import asyncio
import json
import random
import time
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, Self

SEATS = 4


class Wire:
    """One connection with one request at a time."""

    def __init__(self, port: int, token: str = "") -> None:
        self.token = token
        self._port = port
        self._lines: tuple[asyncio.StreamReader, asyncio.StreamWriter] | None = None

    async def send(
        self, method: str, path: str, body: Any = None, accept: str = "*/*"
    ) -> asyncio.StreamReader:
        """Send a request and return where its answer comes."""
        if self._lines is None:
            self._lines = await asyncio.open_connection("127.0.0.1", self._port)
        reader, writer = self._lines
        content = json.dumps(body).encode() if body is not None else b""
        head = f"{method} {path} HTTP/1.1\r\nHost: x\r\nAccept: {accept}\r\n"
        head += f"Authorization: Bearer {self.token}\r\n" if self.token else ""
        head += f"Content-Type: application/json\r\nContent-Length: {len(content)}\r\n" if content else ""
        writer.write(head.encode() + b"\r\n" + content)
        await writer.drain()
        return reader

    async def ask(self, method: str, path: str, body: Any = None) -> Any:
        """Return the JSON of an answer; raises RuntimeError for a refusal."""
        reader = await self.send(method, path, body)
        status, length = await _head(reader)
        content = await reader.readexactly(length)
        if status >= 400:
            raise RuntimeError(f"{method} {path}: {status} {content[:300]!r}")
        return json.loads(content) if content else None

    async def sign_up(self, name: str) -> Self:
        """Become a player."""
        made = await self.ask("POST", "/v1/players", {"name": name, "kind": "human"})
        self.token = made["token"]
        return self

    def close(self) -> None:
        """Hang up."""
        if self._lines is not None:
            self._lines[1].close()
            self._lines = None


async def _head(reader: asyncio.StreamReader) -> tuple[int, int]:
    """Read the head of an answer and return its status and the length of its body."""
    first = await reader.readline()
    if not first:
        raise ConnectionError("the service has hung up")
    length = 0
    while (line := await reader.readline()) not in (b"\r\n", b""):
        name, _, value = line.partition(b":")
        if name.lower() == b"content-length":
            length = int(value)
    return int(first.split()[1]), length


@dataclass(slots=True)
class Crowd:
    """Everybody at a service: `answer_s` has how long each answer to a decision took."""

    port: int
    answer_s: list[float] = field(default_factory=list)
    heard: int = 0
    refused: list[str] = field(default_factory=list)
    games: list[str] = field(default_factory=list)
    _tasks: list[asyncio.Task[None]] = field(default_factory=list)
    _wires: list[Wire] = field(default_factory=list)

    async def play(self, tables: int, think_s: float) -> None:
        """Seat everybody at so many tables, each of whom thinks about that long before it lays a card."""
        for _ in range(tables):
            players = [await self._wire().sign_up(f"player {seat}") for seat in range(SEATS)]
            options = {"ruleset": "classic", "seats": SEATS, "pace": "untimed", "end": {"rounds": 100}}
            game = (await players[0].ask("POST", "/v1/games", options))["id"]
            for player in players[1:]:
                await player.ask("POST", f"/v1/games/{game}/seats", {"accept_bots": True})
            await players[0].ask("POST", f"/v1/games/{game}/start", {})
            self.games.append(game)
            self._tasks += [asyncio.create_task(self._sit(player, game, think_s)) for player in players]

    async def hold(self, count: int) -> None:
        """Have so many requests held: for decisions that never come."""
        for _ in range(count):
            self._tasks.append(asyncio.create_task(self._wait(await self._wire().sign_up("patient"))))

    async def follow(self, paths: Iterator[str], count: int, per_token: int) -> None:
        """Open so many streams, of as many players as that needs, and return when all are open."""
        opening = asyncio.Semaphore(16)

        async def open_one(token: str) -> None:
            async with opening:
                wire = self._wire(token)
                reader = await wire.send("GET", next(paths), accept="text/event-stream")
                status, _ = await _head(reader)
                if status != 200:
                    raise RuntimeError(f"a stream was answered with {status}")
                self._tasks.append(asyncio.create_task(self._listen(reader)))

        tokens = [(await Wire(self.port).sign_up("follower")).token for _ in range(-(-count // per_token))]
        await asyncio.gather(*(open_one(tokens[number // per_token]) for number in range(count)))

    async def leave(self) -> None:
        """Send everybody home."""
        for task in self._tasks:
            task.cancel()
        await asyncio.gather(*self._tasks, return_exceptions=True)
        self._tasks.clear()
        for wire in self._wires:
            wire.close()
        self._wires.clear()

    def _wire(self, token: str = "") -> Wire:
        self._wires.append(Wire(self.port, token))
        return self._wires[-1]

    async def _sit(self, wire: Wire, game: str, think_s: float) -> None:
        while True:
            owed = await wire.ask("GET", f"/v1/me/decisions?wait=25&game={game}")
            for decision in owed["items"]:
                await asyncio.sleep(think_s * random.uniform(0.5, 1.5))
                legal = decision["legal"]
                body = {"card": random.choice(legal["cards"])} if decision["kind"] == "card" else {"row": 0}
                began = time.perf_counter()
                try:
                    await wire.ask("PUT", f"/v1/games/{game}/decisions/{decision['key']}", body)
                except RuntimeError as refusal:
                    self.refused.append(str(refusal))
                self.answer_s.append(time.perf_counter() - began)

    async def _wait(self, wire: Wire) -> None:
        while True:
            await wire.ask("GET", "/v1/me/decisions?wait=25")

    async def _listen(self, reader: asyncio.StreamReader) -> None:
        with suppress(ConnectionError):
            while await reader.read(65536):
                self.heard += 1
            self.refused.append("a stream has ended")
