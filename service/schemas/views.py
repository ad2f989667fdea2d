"""What a seat, or the public, may see of a game: `view/1`, the same wherever a game is shown."""

from __future__ import annotations

from typing import Final, get_args

from marshmallow import fields

from engine.game import Status
from engine.options import IfLow
from engine.rows import Mode, Why
from engine.rulesets import RULESETS
from engine.table import Ballot, ExplainCode, Table, VoteKind
from engine.views import SCHEMA
from service.schemas.base import AnswerSchema
from service.schemas.fields import Boolean, Card, Choice, Integer
from service.schemas.holders import SeatHolderSchema
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


class DraftSchema(AnswerSchema):
    """The draft: what lies open, what each seat has picked, and whose pick it is."""

    cards = fields.List(
        Card(), required=True, metadata={"description": "The cards that can still be picked, ascending."}
    )
    order = fields.List(
        Integer(0), required=True, metadata={"description": "The seats of one pass; every pass is alike."}
    )
    picks = fields.List(
        fields.List(Card()), required=True, metadata={"description": "What each seat has picked, ascending."}
    )
    pick = Integer(
        1, required=True, metadata={"description": "The number of the pick, counted over all seats."}
    )
    seat = Integer(0, required=True, metadata={"description": "Whose pick it is."})


class ExplanationSchema(AnswerSchema):
    """Why a card went where it went, at an open table."""

    seat = Integer(0, required=True)
    card = Card(required=True)
    code = Choice(*get_args(ExplainCode), required=True)
    lower = fields.List(
        Integer(0), required=True, metadata={"description": "The rows whose ends were lower than the card."}
    )
    closest = Integer(
        0,
        required=True,
        allow_none=True,
        metadata={"description": "The one of them with the highest end; null for none."},
    )
    sentence = fields.String(required=True, metadata={"description": "The same for people."})


class OpenVoteSchema(AnswerSchema):
    """The vote that is open: it passes with a yes of every voter."""

    vote = Integer(1, required=True, metadata={"description": "Its number in this game."})
    kind = Choice(*get_args(VoteKind), required=True)
    seat = Integer(0, required=True, metadata={"description": "Who asked for it."})
    target = Integer(
        0,
        required=True,
        allow_none=True,
        metadata={"description": "The seat that a vote to replace is about."},
    )
    voters = fields.List(
        Integer(0), required=True, metadata={"description": "The seats whose agreement it needs."}
    )
    ballots = fields.List(
        Choice(*get_args(Ballot), allow_none=True),
        required=True,
        metadata={"description": "What each seat has said; null where it has said nothing."},
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
    hand_size = Integer(
        1, required=True, metadata={"description": "How many cards a hand has, Jokers included; one a turn."}
    )
    jokers = Integer(0, required=True, metadata={"description": "How many of them are Jokers."})
    end = fields.Nested(EndSchema, required=True)
    recommit = Boolean(
        required=True, metadata={"description": "Whether a laid card may be changed until the reveal."}
    )
    if_low = Boolean(
        required=True, metadata={"description": "Whether a row may be chosen in advance, with the card."}
    )
    counts = Boolean(
        required=True, metadata={"description": "Whether this round counts; a learning round does not."}
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
        "draft",
        "lay_card",
        "choose_row",
        required=True,
        allow_none=True,
        metadata={"description": "What the table waits for; null for nothing."},
    )
    table = Choice(
        *get_args(Table),
        required=True,
        metadata={
            "description": "`open` in a learning round: hands and laid cards lie open, and nothing counts."
        },
    )
    you = Integer(0, required=True, allow_none=True, metadata={"description": "Your seat; null for none."})
    rows = fields.List(fields.Nested(RowSchema), required=True)
    hand = fields.List(
        Card(), required=True, metadata={"description": "Your hand, a card that you have laid included."}
    )
    laid_card = Card(
        required=True, allow_none=True, metadata={"description": "Your own card that lies face down."}
    )
    if_low = Choice(
        *get_args(IfLow),
        required=True,
        allow_none=True,
        metadata={"description": "The row choice that you made in advance, should that card be too low."},
    )
    called = Integer(
        0,
        required=True,
        allow_none=True,
        metadata={"description": "The seat whose turn to lay it is at an open table; else null."},
    )
    draft = fields.Nested(
        DraftSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The draft while it is on; else null."},
    )
    plan = fields.List(
        Card(),
        required=True,
        allow_none=True,
        metadata={
            "description": "The cards that you want in this draft, the dearest first; null for no plan."
        },
    )
    hands = fields.List(
        fields.List(Card()),
        required=True,
        allow_none=True,
        metadata={"description": "Every hand at an open table, by seat; else null."},
    )
    laid_cards = fields.List(
        Card(allow_none=True),
        required=True,
        allow_none=True,
        metadata={"description": "The card that lies before each seat at an open table; else null."},
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
    explanations = fields.List(
        fields.Nested(ExplanationSchema),
        required=True,
        metadata={"description": "Of the cards placed in this turn of an open table, in order."},
    )
    vote = fields.Nested(
        OpenVoteSchema,
        required=True,
        allow_none=True,
        metadata={"description": "The vote that is open; null for none."},
    )
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
