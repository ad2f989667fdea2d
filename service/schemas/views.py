"""What a seat, or the public, may see of a game: `view/1`, the same wherever a game is shown."""

from __future__ import annotations

from typing import Final, get_args

from marshmallow import fields

from engine.game import Status
from engine.players import Kind
from engine.policies import HOUSE_LEVELS
from engine.rows import Mode, Why
from engine.rulesets import RULESETS
from engine.views import SCHEMA
from service.schemas.base import AnswerSchema
from service.schemas.fields import Boolean, Card, Choice, Integer
from service.schemas.rulesets import EndSchema

MODES: Final[tuple[str, ...]] = get_args(Mode)
STATUSES: Final[tuple[str, ...]] = get_args(Status)


class RowSchema(AnswerSchema):
    """A row on the table, from its first card to its end."""

    cards = fields.List(Card(), required=True)
    end_tenths = Integer(
        0, required=True, metadata={"description": "The value of the row's end, in tenths: 19 is 190."}
    )
    bullheads = Integer(0, required=True, metadata={"description": "What taking the row would cost."})


class PlaySchema(AnswerSchema):
    """A card and the seat that laid it."""

    seat = Integer(0, required=True)
    card = Card(required=True)


class PendingSchema(AnswerSchema):
    """The row choice that the table waits for."""

    seat = Integer(0, required=True)
    card = Card(required=True)
    why = Choice(*get_args(Why), required=True)
    rows = fields.List(
        fields.List(Choice(*MODES)), required=True, metadata={"description": "The legal modes of each row."}
    )


class SeatHolderSchema(AnswerSchema):
    """A taken seat: who holds it, how it stands and how it has answered."""

    seat = Integer(0, required=True)
    player = fields.String(
        required=True, allow_none=True, metadata={"description": "The holder's id; null for a house bot."}
    )
    name = fields.String(required=True)
    kind = Choice(*get_args(Kind), required=True)
    level = Choice(
        *HOUSE_LEVELS,
        required=True,
        allow_none=True,
        metadata={"description": "How strong a house bot is; null for anybody else."},
    )
    ready = Boolean(required=True)
    laid = Boolean(required=True, metadata={"description": "Whether a card of this turn lies face down."})
    hand_size = Integer(0, required=True)
    round_bullheads = Integer(0, required=True)
    total_bullheads = Integer(
        0,
        required=True,
        metadata={
            "description": "Of the rounds that have been scored: those before this one, and at the end of the game all."
        },
    )
    controller = Choice("player", "house", required=True)
    presence = fields.String(
        required=True, metadata={"description": "`online`, whoever it is: nothing else is told so far."}
    )
    timeouts = Integer(
        0, required=True, metadata={"description": "How many answers the service gave because none came."}
    )


class StandingSchema(AnswerSchema):
    """A seat's place at the end: rank 1 has won, ties share a rank."""

    seat = Integer(0, required=True)
    rank = Integer(1, required=True)
    total_bullheads = Integer(0, required=True)
    winner = Boolean(required=True)


class TableRulesSchema(AnswerSchema):
    """What a program needs of the rules to play at this table."""

    ruleset = Choice(*RULESETS, required=True)
    low = Integer(1, required=True, metadata={"description": "The lowest number card in play."})
    high = Integer(1, required=True, metadata={"description": "The highest number card in play."})
    row_limit = Integer(1, required=True)
    hand_size = Integer(1, required=True)
    end = fields.Nested(EndSchema, required=True)
    recommit = Boolean(
        required=True, metadata={"description": "Whether a laid card may be changed until the reveal."}
    )
    lowest_wins = Boolean(required=True)


class ViewSchema(AnswerSchema):
    """A game as one viewer sees it. Every field is always there."""

    schema = Choice(SCHEMA, required=True)
    seq = Integer(1, required=True, metadata={"description": "How many events have happened."})
    head = fields.String(required=True, metadata={"description": "The hash of the last of them."})
    status = Choice(*STATUSES, required=True)
    round = Integer(0, required=True, metadata={"description": "0 before the start."})
    attempt = Integer(0, required=True, metadata={"description": "How often this round was dealt anew."})
    turn = Integer(0, required=True)
    phase = Choice(
        "lay_card",
        "choose_row",
        required=True,
        allow_none=True,
        metadata={"description": "What the table waits for; null for nothing."},
    )
    you = Integer(0, required=True, allow_none=True, metadata={"description": "Your seat; null for none."})
    rows = fields.List(fields.Nested(RowSchema), required=True)
    hand = fields.List(
        Card(), required=True, metadata={"description": "Your hand, a card that you have laid included."}
    )
    laid_card = Card(
        required=True, allow_none=True, metadata={"description": "Your own card that lies face down."}
    )
    plays = fields.List(
        fields.Nested(PlaySchema),
        required=True,
        metadata={"description": "The revealed cards of this turn, in placing order."},
    )
    queue = fields.List(
        fields.Nested(PlaySchema), required=True, metadata={"description": "Those not placed yet."}
    )
    pending = fields.Nested(PendingSchema, required=True, allow_none=True)
    seen = fields.List(
        Card(), required=True, metadata={"description": "The cards captured in this round, ascending."}
    )
    seats = fields.List(
        fields.Nested(SeatHolderSchema, allow_none=True),
        required=True,
        metadata={"description": "Null where nobody sits."},
    )
    standings = fields.List(
        fields.Nested(StandingSchema), required=True, metadata={"description": "Empty before the end."}
    )
    rules = fields.Nested(TableRulesSchema, required=True)
