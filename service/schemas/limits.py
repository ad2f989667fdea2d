"""What is in force: the limits of the service, as a body."""

from __future__ import annotations

from typing import Final

from marshmallow import fields

from service.schemas.base import PAGE_DEFAULT, PAGE_MOST, WAIT_MOST_S, AnswerSchema
from service.schemas.fields import Choice, Integer, Name
from service.store.quotas import BUCKETS


class PageLimitsSchema(AnswerSchema):
    """How many items a page of a list holds."""

    default = Integer(1, required=True)
    most = Integer(1, required=True)


class RateSchema(AnswerSchema):
    """How much a client may ask for of one kind, counting only what it asks for while it is being answered already."""

    bucket = Choice(
        *BUCKETS,
        required=True,
        metadata={
            "description": "`laying` is answering decisions and resigning, `creating` what makes something new, "
            "`exports` what takes long: replays, frames, verifications."
        },
    )
    requests = Integer(
        1, required=True, allow_none=True, metadata={"description": "For a token; null: not limited."}
    )
    address_requests = Integer(
        1, required=True, allow_none=True, metadata={"description": "For an address, whatever its tokens."}
    )
    window_s = Integer(1, required=True, allow_none=True, metadata={"description": "In so many seconds."})
    code = fields.String(required=True, metadata={"description": "What asking for more is refused with."})


class StreamLimitsSchema(AnswerSchema):
    """How many streams there may be, at each process of the service, and how long they last."""

    per_token = Integer(0, required=True)
    per_address = Integer(0, required=True)
    life_s = Integer(
        0, required=True, metadata={"description": "After so long a stream ends; go on with another."}
    )
    keep_alive_s = Integer(1, required=True, metadata={"description": "A stream is never silent for longer."})


class BoundSchema(AnswerSchema):
    """How much there may be of something."""

    name = fields.String(required=True)
    most = Integer(0, required=True)
    code = fields.String(required=True, metadata={"description": "What going beyond is refused with."})
    about = fields.String(required=True)


class LimitsSchema(AnswerSchema):
    """Every limit in force."""

    body_bytes = Integer(1, required=True, metadata={"description": "The largest request body."})
    wait_s = Integer(0, required=True, metadata={"description": "The longest that `?wait` holds an answer."})
    page = fields.Nested(PageLimitsSchema, required=True)
    streams = fields.Nested(StreamLimitsSchema, required=True)
    name_characters = Integer(1, required=True, metadata={"description": "The longest name."})
    idempotency_key_kept_s = Integer(
        1,
        required=True,
        metadata={"description": "For how long a repeated creating request gets the first answer."},
    )
    grace_ms = Integer(
        0,
        required=True,
        metadata={
            "description": "How long an answer is waited for beyond its deadline: it may have been sent in time."
        },
    )
    bounds = fields.List(
        fields.Nested(BoundSchema),
        required=True,
        metadata={"description": "How much a client may send, or have kept, of everything there is."},
    )
    rates = fields.List(
        fields.Nested(RateSchema),
        required=True,
        metadata={
            "description": "How many requests are allowed in which time. One request after the other is never refused."
        },
    )


LIMITS_EXAMPLE: Final = {
    "body_bytes": 65536,
    "wait_s": WAIT_MOST_S,
    "page": {"default": PAGE_DEFAULT, "most": PAGE_MOST},
    "streams": {"per_token": 10, "per_address": 100, "life_s": 3600, "keep_alive_s": 10},
    "name_characters": Name.LONGEST,
    "idempotency_key_kept_s": 86400,
    "grace_ms": 250,
    "bounds": [
        {"name": "tokens", "most": 20, "code": "too_many_tokens", "about": "Good tokens of a player."}
    ],
    "rates": [
        {
            "bucket": "laying",
            "requests": 600,
            "address_requests": 6000,
            "window_s": 10,
            "code": "laying_limited",
        }
    ],
}
