"""Bodies about the events of a game, as its log holds them and as a viewer may read them."""

from __future__ import annotations

import json
from typing import Final, get_args

from marshmallow import fields

from engine.events import EVENTS
from engine.players import ActorKind
from service.schemas.base import PAGE_MOST, AnswerSchema, WaitQuery
from service.schemas.fields import Choice, Integer, QueryInteger, Timestamp

SEQ_MOST: Final = 2**53 - 1
"""The highest number that every reader of JSON can hold; no log comes near."""


class EventsQuery(WaitQuery):
    """Which events of a game."""

    after = QueryInteger(
        0,
        SEQ_MOST,
        load_default=0,
        metadata={"description": "The `seq` of the last event that you hold; 0 for none.", "example": 118},
    )
    limit = QueryInteger(
        1,
        PAGE_MOST,
        metadata={
            "description": f"How many events at most; without it {PAGE_MOST} in a JSON page, and all of them in NDJSON.",
            "example": PAGE_MOST,
        },
    )


class ActorSchema(AnswerSchema):
    """Who caused an event."""

    kind = Choice(*get_args(ActorKind), required=True)
    seat = Integer(0, metadata={"description": "Missing for `system`, and for a host without a seat."})


class OpenedPartSchema(AnswerSchema):
    """A sealed part laid open: SHA-256 of the canonical form of `[salt, data]` is its digest."""

    salt = fields.String(required=True)
    data = fields.Dict(required=True)


class EventSchema(AnswerSchema):
    """One event of a log. What you may not know yet stands in `sealed` as a salted digest; what you may, in `open` too."""

    v = Integer(1, required=True, metadata={"description": "The version of this form."})
    game = fields.String(required=True)
    seq = Integer(1, required=True, metadata={"description": "Counts from 1, without gaps."})
    type = Choice(*EVENTS, required=True)
    at = Timestamp(required=True)
    round = Integer(0, required=True)
    turn = Integer(0, required=True)
    by = fields.Nested(ActorSchema, required=True)
    data = fields.Dict(
        required=True, metadata={"description": "What everybody may know; docs/log.md lists it by type."}
    )
    sealed = fields.Dict(
        keys=fields.String(),
        values=fields.String(),
        required=True,
        metadata={"description": "The digest of each sealed part; `s1` is seat 1's."},
    )
    open = fields.Dict(keys=fields.String(), values=fields.Nested(OpenedPartSchema), required=True)
    prev = fields.String(required=True, metadata={"description": "The `hash` of the event before it."})
    hash = fields.String(
        required=True,
        metadata={"description": "SHA-256 of the canonical form of the event without `hash` and `open`."},
    )


class EventPageSchema(AnswerSchema):
    """Some events of a game, in order."""

    items = fields.List(fields.Nested(EventSchema), required=True)
    next_after = Integer(
        0,
        required=True,
        allow_none=True,
        metadata={
            "description": "Ask for what follows with `?after=` this, now or later; null after a game's last event."
        },
    )


EVENT_EXAMPLE: Final = {
    "v": 1,
    "game": "g_5rwm3xk2nq7tz4yvb6cdha2eui",
    "seq": 12,
    "type": "card.laid",
    "at": "2026-01-01T12:00:05.250Z",
    "round": 1,
    "turn": 1,
    "by": {"kind": "player", "seat": 1},
    "data": {"seat": 1},
    "sealed": {"s1": "6c4b3cbd7a2a0f0f5d8c8e5a5e8f6f4f3d0f4f5b9f1e2d3c4b5a69788796a5b4"},
    "prev": "0b1f2e3d4c5b6a798897a6b5c4d3e2f10f1e2d3c4b5a69788796a5b4c3d2e1f0",
    "hash": "9f8e7d6c5b4a39281706f5e4d3c2b1a00a1b2c3d4e5f60718293a4b5c6d7e8f9",
    "open": {"s1": {"salt": "6b1f5a0c9d3e4f7a8b2c1d0e9f8a7b6c", "data": {"card": 37}}},
}
EVENT_PAGE_EXAMPLE: Final = {"items": [EVENT_EXAMPLE], "next_after": 12}
EVENT_LINE_EXAMPLE: Final = json.dumps(EVENT_EXAMPLE, separators=(",", ":")) + "\n"
