"""Bodies about what a player is told, over all the games at once."""

from __future__ import annotations

from marshmallow import fields

from service.schemas.base import PAGE_MOST, PAGE_TOO_LARGE, AnswerSchema, WaitQuery
from service.schemas.fields import Choice, QueryInteger


class NewsQuery(WaitQuery):
    """From where on."""

    after = fields.String(
        metadata={
            "description": "The `id` of the last message that you hold, or `next_after`; opaque. Without it the "
            "answer begins with a snapshot.",
            "maxLength": 3500,
            "pattern": "^[A-Za-z0-9_-]*$",
        },
    )
    limit = QueryInteger(
        1,
        PAGE_MOST,
        code=PAGE_TOO_LARGE,
        metadata={
            "description": f"How many messages a page has at most; {PAGE_MOST} without it.",
            "example": PAGE_MOST,
        },
    )
    follow = Choice(
        "true",
        "false",
        load_default="false",
        metadata={"description": "Whether lines go on with what comes; an event stream always does."},
    )


class MessageSchema(AnswerSchema):
    """One thing that you are told."""

    id = fields.String(required=True, metadata={"description": "Where to go on after this message."})
    event = fields.String(
        required=True,
        metadata={
            "description": "The type of an event of a game, which is the `data` then; or `decision.opened` with the "
            "decision, `decision.closed` with its `game` and `key`, `end` after the last event of a game, `left` when a "
            "game is not yours any more, `snapshot` with all `games` and `decisions`."
        },
    )
    data = fields.Dict(required=True)


class NewsPageSchema(AnswerSchema):
    """Some messages, in order."""

    items = fields.List(fields.Nested(MessageSchema), required=True)
    next_after = fields.String(
        required=True, metadata={"description": "Ask for what follows with `?after=` this, now or later."}
    )
