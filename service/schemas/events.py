"""Bodies about the events of a game, as its log holds them and as a viewer may read them."""

from __future__ import annotations

from typing import Final, get_args

from marshmallow import fields

from engine.events import EVENTS
from engine.players import ActorKind
from service.schemas.base import PAGE_MOST, PAGE_TOO_LARGE, AnswerSchema, WaitQuery
from service.schemas.fields import Choice, Integer, QueryInteger, Timestamp

SEQ_MOST: Final = 2**53 - 1
"""The highest number that every reader of JSON can hold; no log comes near."""


class EventsQuery(WaitQuery):
    """Which events of a game."""

    after = QueryInteger(
        0,
        SEQ_MOST,
        metadata={
            "description": "The `seq` of the last event that you hold, 0 for none. Without it a page begins with the "
            "first event, a stream with a snapshot.",
        },
    )
    limit = QueryInteger(
        1,
        PAGE_MOST,
        code=PAGE_TOO_LARGE,
        metadata={
            "description": f"How many events at most; without it {PAGE_MOST} in a JSON page, and all of them in NDJSON.",
            "example": PAGE_MOST,
        },
    )
    follow = Choice(
        "true",
        "false",
        load_default="false",
        metadata={"description": "Whether lines go on with what comes; an event stream always does."},
    )


class ActorSchema(AnswerSchema):
    """Who caused an event."""

    kind = Choice(*get_args(ActorKind), required=True)
    seat = Integer(
        0,
        metadata={
            "description": "The seat that did it, or in whose place it was done; missing where it was none."
        },
    )


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
        required=True,
        metadata={
            "description": "What everybody may know. What is in it depends on `type`: among the examples of "
            "`GET /v1/games/{game_id}/events` is one of each."
        },
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
