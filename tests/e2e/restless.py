"""Readers of streams that lose their connection all the time, and come back with the last cursor that they have."""

from __future__ import annotations

import json
import random
import time
from collections import Counter
from collections.abc import Iterator
from dataclasses import dataclass, field
from threading import Event, Thread
from typing import Any, NamedTuple

import httpx

from engine.log import Envelope

SSE, NDJSON = "text/event-stream", "application/x-ndjson"


class Told(NamedTuple):
    """One message of a stream."""

    id: str
    event: str
    data: Any


@dataclass(slots=True)
class Restless:
    """Follows `path` in a thread of its own, and hangs up after a few messages, or after `lives_s` seconds.

    `url` may be changed while it follows, as after a restart. It stops by itself after the first `end`.
    """

    url: str
    path: str
    token: str | None = None
    accept: str = SSE
    seed: int = 0
    lives_s: float | None = None
    after: str | None = None
    told: list[Told] = field(default_factory=list)
    connections: int = 0
    refused: list[str] = field(default_factory=list)
    is_over: bool = False
    heard_of_nothing_more: bool = False
    _stopping: Event = field(default_factory=Event)
    _thread: Thread | None = None

    def begin(self) -> Restless:
        """Follow from now on."""
        self._thread = Thread(target=self._run, name=f"restless {self.path}")
        self._thread.start()
        return self

    def stop(self) -> None:
        """Stop, and return when it has."""
        self._stopping.set()
        self.join()

    def join(self) -> None:
        """Return when it has stopped."""
        if self._thread:
            self._thread.join()

    def _run(self) -> None:
        chance = random.Random(self.seed)
        headers = {"Accept": self.accept} | ({"Authorization": f"Bearer {self.token}"} if self.token else {})
        query = {"follow": "true"} if self.accept == NDJSON else {}
        with httpx.Client(timeout=25) as http:
            while not self._stopping.is_set() and not self.is_over:
                most, until_s = chance.randrange(1, 6), time.monotonic() + (self.lives_s or 25)
                place = {} if self.after is None else {"after": self.after}
                try:
                    with http.stream(
                        "GET", self.url + self.path, params=query | place, headers=headers
                    ) as answer:
                        self._read(answer, None if self.lives_s else most, until_s)
                except httpx.TransportError:
                    time.sleep(0.02)  # nobody is there now

    def _read(self, answer: httpx.Response, most: int | None, until_s: float) -> None:
        self.connections += 1
        if answer.status_code != 200:
            self.is_over = self.heard_of_nothing_more = answer.status_code == 204
            if answer.status_code not in (204, 429, 503):
                self.refused.append(f"{self.path}: {answer.status_code}")
                self.is_over = True
            return
        for count, told in enumerate(_messages(answer, self.accept), start=1):
            if told is not None:
                self.told.append(told)
                self.after = told.id
                self.is_over = told.event == "end"
            if count == most or time.monotonic() > until_s or self._stopping.is_set() or self.is_over:
                return  # with whatever else is on its way


def _messages(answer: httpx.Response, accept: str) -> Iterator[Told | None]:
    """Yield the whole messages as they arrive, and None for what only keeps the stream alive."""
    end, rest = ("\n\n", "") if accept == SSE else ("\n", "")
    for text in answer.iter_text():
        *blocks, rest = (rest + text).split(end)
        for block in blocks:
            yield _event(block) if accept == SSE else Told(**json.loads(block)) if block else None


def _event(block: str) -> Told | None:
    fields = dict(line.split(": ", 1) for line in block.split("\n") if not line.startswith(":"))
    return Told(fields["id"], fields["event"], json.loads(fields["data"])) if "id" in fields else None


def faults(reader: Restless, log: list[Envelope], first: int = 1) -> Iterator[str]:
    """What is wrong with what a reader was told of a game that is over, from its event `first` on."""
    yield from reader.refused
    game = log[0]["game"]
    told = [one.data for one in reader.told if one.data.get("game") == game and "hash" in one.data]
    wanted = [(envelope["seq"], envelope["hash"]) for envelope in log if envelope["seq"] >= first]
    found = [(envelope["seq"], envelope["hash"]) for envelope in told]
    if found != wanted:
        twice = [seq for (seq, _), times in Counter(found).items() if times > 1]
        order = "in order" if sorted(found) == found else "in disorder"
        yield f"{reader.path} of {game}: {len(found)} of {len(wanted)} events, {order}, twice {twice}"
    ends = sum(one.event == "end" and one.data["game"] == game for one in reader.told)
    if ends + reader.heard_of_nothing_more != 1:
        yield f"{reader.path} of {game}: the end was told {ends} times"
    opened = Counter(_key(one) for one in reader.told if one.event == "decision.opened")
    opened += Counter(
        (decision["game"], decision["key"])
        for one in reader.told
        if one.event == "snapshot"
        for decision in one.data.get("decisions", ())
    )
    closed = Counter(_key(one) for one in reader.told if one.event == "decision.closed")
    if opened != closed or set(opened.values()) > {1}:
        yield f"{reader.path}: decisions opened and closed differ: {opened - closed} {closed - opened}"


def _key(told: Told) -> tuple[str, str]:
    return told.data["game"], told.data["key"]
