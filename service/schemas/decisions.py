"""Bodies about decisions: what a seat owes, its answer, and the receipt for it."""

from __future__ import annotations

from typing import Final, get_args

from marshmallow import fields

from engine.cards import HIGHEST
from engine.decisions import BALLOTS, DecisionKind
from engine.options import IfLow, PolicyName
from engine.players import ActorKind
from service.schemas.base import AnswerSchema, Schema, WaitQuery
from service.schemas.fields import Card, Choice, Id, Integer, LengthAtMost, Timestamp
from service.schemas.views import MODES, ViewSchema

ROW_ON_TIMEOUT: Final = "fewest_bullheads"
"""How the service chooses a row for a seat that is late."""

BALLOT_ON_TIMEOUT: Final = "no"
"""What silence means in a vote."""


class DecisionsQuery(WaitQuery):
    """Which decisions."""

    game = Id(metadata={"description": "Only those of this game."})


class GivenSchema(Schema):
    """Your answer: `card`; `row`, and for a Joker's also `mode`; `card` or `plan` for a pick; `choice` for a ballot."""

    card = Card(metadata={"description": "For a card, or for a pick."})
    if_low = Choice(
        *get_args(IfLow),
        metadata={
            "description": "With a card, where the table allows it: the row to take, should the card be too low."
        },
    )
    row = Integer(metadata={"description": "Counted from 0, top to bottom.", "minimum": 0})
    mode = Choice(
        *MODES, metadata={"description": "Whether the card joins the row or takes it; a number card takes."}
    )
    plan = fields.List(
        Card(),
        validate=LengthAtMost(1, HIGHEST, "plan_too_long"),
        metadata={"description": "For this pick and those after it: the cards you want, the dearest first."},
    )
    choice = Choice(*BALLOTS, metadata={"description": "For a ballot."})


class GivenAnswerSchema(AnswerSchema):
    """The answer that was given: a `card`, perhaps with `if_low`; a `row` with its `mode`; a `choice`.

    Of a pick it is the `plan` until the seat picks, and then the `card`.
    """

    card = Card()
    if_low = Choice(*get_args(IfLow))
    row = Integer(0)
    mode = Choice(*MODES)
    plan = fields.List(Card())
    choice = Choice(*BALLOTS)


class ReceiptSchema(AnswerSchema):
    """The proof of your answer: SHA-256 of the canonical form of `[salt, answer]` is `sealed`, and in the log.

    What is hidden is a card, `{"card": n}` with `if_low` where you gave it, and a plan, `{"plan": [...]}`.
    """

    key = fields.String(required=True)
    seq = Integer(1, required=True, metadata={"description": "The event that holds your answer."})
    sealed = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "The digest that stands in that event; null for what is not hidden: a row, a pick, a ballot."
        },
    )
    salt = fields.String(required=True, allow_none=True)
    accepted_at = Timestamp(required=True)


class LegalSchema(AnswerSchema):
    """What is accepted: `cards` for a card or a pick; the legal modes of each of `rows`; `choices` for a ballot."""

    cards = fields.List(Card())
    rows = fields.List(fields.List(Choice(*MODES)))
    choices = fields.List(Choice(*BALLOTS))


class DecisionSchema(AnswerSchema):
    """Something that your seat is asked, with all it takes to answer."""

    key = fields.String(
        required=True, metadata={"description": "Round, turn or pick, seat and kind; or vote and seat."}
    )
    game = fields.String(required=True)
    kind = Choice(*get_args(DecisionKind), required=True)
    opened_at = Timestamp(required=True)
    deadline = Timestamp(
        required=True,
        allow_none=True,
        metadata={"description": "Until when your answer is waited for, your time bank included."},
    )
    bank_from = Timestamp(
        required=True,
        allow_none=True,
        metadata={
            "description": "From when on the time is taken from your bank; null when there is nothing in it."
        },
    )
    on_timeout = Choice(
        *get_args(PolicyName),
        ROW_ON_TIMEOUT,
        BALLOT_ON_TIMEOUT,
        required=True,
        metadata={"description": "How the service answers in your place after the deadline."},
    )
    legal = fields.Nested(
        LegalSchema,
        required=True,
        allow_none=True,
        metadata={"description": "Null once nothing is accepted any more, and while the game is paused."},
    )
    answer = fields.Nested(GivenAnswerSchema, required=True, allow_none=True)
    answered_by = Choice(
        *get_args(ActorKind),
        required=True,
        allow_none=True,
        metadata={
            "description": "`player` or `bot` is you; `timeout`, `policy` and `away` are the service, `house` its bot."
        },
    )
    receipt = fields.Nested(ReceiptSchema, required=True, allow_none=True)
    view = fields.Nested(ViewSchema, required=True)


class DecisionListSchema(AnswerSchema):
    """What you owe, the next deadline first."""

    items = fields.List(fields.Nested(DecisionSchema), required=True)
