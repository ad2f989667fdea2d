"""Reading a stream of the application in a thread of its own, as a client would, message by message."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from queue import SimpleQueue
from threading import Thread
from typing import Any, NamedTuple

from flask import Flask

from service.lines import Line

EVENTS = "/v1/games/g_1/events"
SSE = "text/event-stream"
NDJSON = "application/x-ndjson"


class Told(NamedTuple):
    """One message of a stream; of a silence all is None."""

    id: str | None
    event: str | None
    data: Any


SILENCE = Told(None, None, None)


def followed(accept: str, query: str = "", url: str = EVENTS) -> str:
    """Return where a stream is read in one of the two forms."""
    return f"{url}?{query}" if accept == SSE else f"{url}?follow=true&{query}"


def messages(text: str, accept: str) -> list[Told]:
    """Return the messages in what came over a stream, those that only keep it alive among them."""
    if accept == SSE:
        return [_read(block) for block in text.split("\n\n")[:-1] if not block.startswith("retry:")]
    lines = [json.loads(line) if line else {} for line in text.split("\n")[1:-1]]
    return [Told(line.get("id"), line.get("event"), line.get("data")) for line in lines]


def _read(block: str) -> Told:
    if block == ":":
        return SILENCE
    fields = dict(line.split(": ", 1) for line in block.split("\n"))
    assert fields.keys() == {"id", "event", "data"}
    return Told(fields["id"], fields["event"], json.loads(fields["data"]))


@dataclass
class Follower:
    """A client that reads a stream; whatever it has not asked for yet waits."""

    app: Flask
    path: str
    headers: dict[str, str]
    accept: str = SSE
    line: Line | None = None

    def __post_init__(self) -> None:
        """Connect, and return when the answer has begun."""
        self._arrived: SimpleQueue[Any] = SimpleQueue()
        self._thread = Thread(target=self._run, daemon=True)
        self._thread.start()
        self.status: int = self._arrived.get(timeout=10)

    def _run(self) -> None:
        headers = {**self.headers, "Accept": self.accept}
        response = self.app.test_client().get(
            self.path, headers=headers, environ_overrides={"gunicorn.socket": self.line}
        )
        self._arrived.put(response.status_code)
        opening = "\n" if self.accept == NDJSON else ""
        for number, chunk in enumerate(response.iter_encoded()):
            for told in messages(opening + chunk.decode(), self.accept) if number else ():
                self._arrived.put(told)
        response.close()
        self._arrived.put(None)

    def next(self) -> Told:
        """Return the next message; fails after ten seconds, and at the end of the stream."""
        told = self._arrived.get(timeout=10)
        assert told is not None, "the stream has ended"
        assert isinstance(told, Told)
        return told

    def until(self, event: str) -> list[Told]:
        """Return the messages up to one of a kind."""
        found = [self.next()]
        while found[-1].event != event:
            found.append(self.next())
        return found

    def rest(self) -> list[Told]:
        """Return what still comes, once the stream has ended."""
        return list(self._rest())

    def _rest(self) -> Iterator[Told]:
        while (told := self._arrived.get(timeout=10)) is not None:
            yield told
        self._thread.join(10)
