"""The schema that all others build on, and the pieces that many routes share."""

from __future__ import annotations

from typing import Any, Final

import marshmallow as ma
from marshmallow import fields

from service.schemas.fields import QueryInteger

PAGE_DEFAULT: Final = 20
PAGE_MOST: Final = 100
PAGE_TOO_LARGE: Final = "page_too_large"
WAIT_MOST_S: Final = 25


class Schema(ma.Schema):
    """What comes in: a body or a query, in which nothing unknown is accepted."""

    class Meta:
        """Fields nobody declared are refused."""

        unknown = ma.RAISE


class AnswerSchema(ma.Schema):
    """What goes out: an answer, which may gain fields later, so the document does not call it closed."""

    class Meta:
        """Fields nobody declared do not matter to who reads an answer."""

        unknown = ma.EXCLUDE


class WaitQuery(Schema):
    """The argument of every GET that can be held."""

    wait = QueryInteger(
        0,
        WAIT_MOST_S,
        load_default=0,
        metadata={
            "description": "Hold the answer for at most so many seconds until something changes; at the end 304, "
            "if `If-None-Match` still fits.",
        },
    )


class PageQuery(Schema):
    """The arguments of every list; `cursor` is missing for the first page."""

    limit = QueryInteger(
        1,
        PAGE_MOST,
        code=PAGE_TOO_LARGE,
        load_default=PAGE_DEFAULT,
        metadata={"description": "How many items a page has at most.", "example": PAGE_DEFAULT},
    )
    cursor = fields.String(
        metadata={
            "description": "`next_cursor` of the page before; opaque, and good for the same list only.",
            "maxLength": 512,
        },
    )


def page_of(item: type[AnswerSchema], name: str) -> type[AnswerSchema]:
    """Return the schema `name` of one page of `item`s: `{items, next_cursor}`."""
    members: dict[str, Any] = {
        "items": fields.List(fields.Nested(item), required=True),
        "next_cursor": fields.String(
            required=True,
            allow_none=True,
            metadata={"description": "Ask for the next page with it; null on the last page."},
        ),
    }
    return type(
        name,
        (AnswerSchema,),
        {**members, "__doc__": f"One page of {item.__name__} items.", "__module__": __name__},
    )
