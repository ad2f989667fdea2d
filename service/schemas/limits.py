"""What is in force: the limits of the service, as a body."""

from __future__ import annotations

from typing import Final

from marshmallow import fields

from service.schemas.base import PAGE_DEFAULT, PAGE_MOST, WAIT_MOST_S, AnswerSchema
from service.schemas.fields import Choice, Integer, Name


class PageLimitsSchema(AnswerSchema):
    """How many items a page of a list holds."""

    default = Integer(1, required=True)
    most = Integer(1, required=True)


class LimitsSchema(AnswerSchema):
    """Every limit in force."""

    body_bytes = Integer(1, required=True, metadata={"description": "The largest request body."})
    wait_s = Integer(0, required=True, metadata={"description": "The longest that `?wait` holds an answer."})
    page = fields.Nested(PageLimitsSchema, required=True)
    name_characters = Integer(1, required=True, metadata={"description": "The longest name."})
    idempotency_key_kept_s = Integer(
        1,
        required=True,
        metadata={"description": "For how long a repeated creating request gets the first answer."},
    )
    requests = Choice(
        "none",
        required=True,
        metadata={"description": "How many requests are allowed in which time: not limited."},
    )


LIMITS_EXAMPLE: Final = {
    "body_bytes": 65536,
    "wait_s": WAIT_MOST_S,
    "page": {"default": PAGE_DEFAULT, "most": PAGE_MOST},
    "name_characters": Name.LONGEST,
    "idempotency_key_kept_s": 86400,
    "requests": "none",
}
