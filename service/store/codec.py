"""Games and their events as the bytes that a store keeps, and back."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

import orjson

from engine import wire
from engine.game import Game
from engine.log import Envelope, Live


def write_events(envelopes: Sequence[Envelope]) -> bytes:
    """The JSON array of one command's envelopes."""
    return orjson.dumps(envelopes)


def read_events(entries: Iterable[bytes]) -> list[Envelope]:
    """The envelopes of several entries, in order."""
    envelopes: list[Envelope] = []
    for entry in entries:
        envelopes.extend(orjson.loads(entry))
    return envelopes


def write_snapshot(live: Live) -> bytes:
    """The live game as JSON."""
    return orjson.dumps({"head": live.head, "game": wire.write(Game, live.game)})


def read_snapshot(snapshot: bytes) -> Live:
    """The live game that `write_snapshot` wrote; raises `engine.wire.MalformedError`."""
    written = orjson.loads(snapshot)
    return Live(wire.read(Game, written["game"]), written["head"])
