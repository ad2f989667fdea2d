"""Bodies about decisions: what a seat owes, its answer, and the receipt for it."""

from __future__ import annotations

from typing import Final, get_args

from marshmallow import fields

from engine.decisions import DecisionKind
from engine.options import PolicyName
from engine.players import ActorKind
from service.schemas.base import AnswerSchema, Schema, WaitQuery
from service.schemas.fields import Card, Choice, Id, Integer, Timestamp
from service.schemas.views import MODES, ViewSchema

ROW_ON_TIMEOUT: Final = "fewest_bullheads"
"""How the service chooses a row for a seat that is late."""


class DecisionsQuery(WaitQuery):
    """Which decisions."""

    game = Id(metadata={"description": "Only those of this game."})


class GivenSchema(Schema):
    """Your answer: `card` for a card; `row` for a row, and for a Joker's also `mode`."""

    card = Card()
    row = Integer(metadata={"description": "Counted from 0, top to bottom.", "minimum": 0})
    mode = Choice(
        *MODES, metadata={"description": "Whether the card joins the row or takes it; a number card takes."}
    )


class GivenAnswerSchema(AnswerSchema):
    """The answer that was given: a `card`, or a `row` with its `mode`."""

    card = Card()
    row = Integer(0)
    mode = Choice(*MODES)


class ReceiptSchema(AnswerSchema):
    """The proof of your answer: SHA-256 of the canonical form of `[salt, {"card": n}]` is `sealed`, and in the log."""

    key = fields.String(required=True)
    seq = Integer(1, required=True, metadata={"description": "The event that holds your answer."})
    sealed = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "The digest that stands in that event; null for a row, which is not hidden."
        },
    )
    salt = fields.String(required=True, allow_none=True)
    accepted_at = Timestamp(required=True)


class LegalSchema(AnswerSchema):
    """What is accepted: `cards` for a card; for a row the legal modes of each in `rows`."""

    cards = fields.List(Card())
    rows = fields.List(fields.List(Choice(*MODES)))


class DecisionSchema(AnswerSchema):
    """Something that your seat is asked, with all it takes to answer."""

    key = fields.String(required=True, metadata={"description": "Round, turn, seat and kind."})
    game = fields.String(required=True)
    kind = Choice(*get_args(DecisionKind), required=True)
    opened_at = Timestamp(required=True)
    deadline = Timestamp(required=True, allow_none=True)
    on_timeout = Choice(
        *get_args(PolicyName),
        ROW_ON_TIMEOUT,
        required=True,
        metadata={"description": "How the service answers in your place after the deadline."},
    )
    legal = fields.Nested(
        LegalSchema,
        required=True,
        allow_none=True,
        metadata={"description": "Null once nothing is accepted any more."},
    )
    answer = fields.Nested(GivenAnswerSchema, required=True, allow_none=True)
    answered_by = Choice(
        *get_args(ActorKind),
        required=True,
        allow_none=True,
        metadata={"description": "`player` or `bot` is you; `timeout` and `policy` are the service."},
    )
    receipt = fields.Nested(ReceiptSchema, required=True, allow_none=True)
    view = fields.Nested(ViewSchema, required=True)


class DecisionListSchema(AnswerSchema):
    """What you owe, the next deadline first."""

    items = fields.List(fields.Nested(DecisionSchema), required=True)
