"""What is told of a game as it happens: the messages that its streams consist of, as one viewer may read them."""

from __future__ import annotations

from typing import Any, Final

import orjson

from engine.game import Game
from engine.log import Envelope, redact
from service.auth import viewer
from service.http.streaming import Message
from service.services import current
from service.tables import Table

_KEPT_MOST: Final = 64
"""Longer tails are read once, by who comes back after a long time."""


def told_events(table: Table, after: int) -> list[Message]:
    """Return the events above `after` as the viewer of the table may read them now, each as a message."""
    live, services = table.live, current()
    if live.game.seq <= after:
        return []
    key = (live.game.id, table.seat, after)
    found: list[Message] | None = services.told.get(key, live.head)
    if found is None:
        envelopes = redact(services.followed.since(live, after), table.seat)
        found = [_event(envelope) for envelope in envelopes]
        if len(found) <= _KEPT_MOST:
            services.told.put(key, live.head, found)
    return found


def told_end(table: Table) -> Message:
    """Return what is told after the last event of a game."""
    game = table.live.game
    return Message(str(game.seq), "end", orjson.dumps(end_data(game)))


def end_data(game: Game) -> dict[str, Any]:
    """Return what the end of a game tells of it."""
    return {"game": game.id, "seq": game.seq, "status": game.status}


def watched(table: Table) -> frozenset[str]:
    """Return the keys whose wake-up may bring news of the table to its viewer."""
    player = viewer()
    return frozenset({table.live.game.id, player.id} if player else {table.live.game.id})


def _event(envelope: Envelope) -> Message:
    data = orjson.dumps(envelope, option=orjson.OPT_SORT_KEYS)
    return Message(str(envelope["seq"]), envelope["type"], data)
