"""Bodies about what remains of a game: its files, its verification, its frames."""

from __future__ import annotations

from typing import Final, get_args

from marshmallow import fields

from engine.compact import REPLAY_FORMAT
from engine.events import EVENTS
from engine.files import FileFormat
from engine.outcome import Reason
from engine.players import Kind
from engine.verify import CheckName, Outcome
from service.schemas.base import PAGE_MOST, PAGE_TOO_LARGE, AnswerSchema, Schema
from service.schemas.events import SEQ_MOST
from service.schemas.fields import Boolean, Card, Choice, Integer, QueryInteger
from service.schemas.games import OptionsSchema
from service.schemas.holders import OwnerSchema
from service.schemas.views import StandingSchema, ViewSchema

VIEWERS: Final = ("seat", "public", "all", *(str(seat) for seat in range(10)))
"""As whom frames may be asked for."""


class ReplayQuery(Schema):
    """Which file of a game."""

    format = Choice(
        *get_args(FileFormat),
        load_default="replay",
        metadata={"description": "`events` for the whole log, `csv` for a table of the placed cards."},
    )


class ReplaySeatSchema(AnswerSchema):
    """Who held a seat."""

    player = fields.String(required=True, allow_none=True)
    name = fields.String(required=True)
    kind = Choice(*get_args(Kind), required=True)
    level = fields.String(required=True, allow_none=True)
    ready = Boolean(required=True)
    client_seed = fields.String(required=True)
    timeouts = Integer(0, required=True)
    late = Integer(0, required=True)
    away = Boolean(required=True)
    bank_ms = Integer(0, required=True)
    owner = fields.Nested(OwnerSchema, required=True, allow_none=True)
    accepts_bots = Boolean(required=True)


class ReplayRoundSchema(AnswerSchema):
    """A deal, and what the seats answered."""

    round = Integer(1, required=True)
    attempt = Integer(0, required=True)
    rows = fields.List(Card(), required=True, metadata={"description": "The first card of each row."})
    hands = fields.List(
        fields.List(Card(), allow_none=True),
        required=True,
        metadata={"description": "Null where you may not know the hand yet."},
    )
    turns = fields.List(
        fields.List(fields.List(fields.Raw(allow_none=True))),
        required=True,
        metadata={
            "description": "For each turn `[seat, card]` in the order laid, the card null where you may not know it yet; "
            "a third item says who laid it in the seat's place, a fourth is the row choice made in advance, a fifth "
            "what it took from the seat's bank. Items at the end that say nothing are left out. "
            "Last cards that the service laid are not listed."
        },
    )
    choices = fields.List(
        fields.List(fields.Raw()),
        required=True,
        metadata={
            "description": "`[turn, seat, row, mode]`; a fifth item says who chose in the seat's place, a sixth is what "
            "it took from the seat's bank."
        },
    )
    seed = fields.String(required=True, allow_none=True)
    picks = fields.List(
        fields.List(fields.Raw()),
        required=True,
        metadata={
            "description": "The picks of the draft as `[card]`, in order; a second item says who picked in the seat's "
            "place, a third is what it took from the seat's bank."
        },
    )


class ReplayResultSchema(AnswerSchema):
    """How a game ended; without standings when it was abandoned."""

    reason = Choice(*get_args(Reason), required=True)
    standings = fields.List(fields.Nested(StandingSchema), required=True)


class ReplaySchema(AnswerSchema):
    """A game in short: what the rules cannot know of it, and so enough to rebuild every step from its start on."""

    format = Choice(REPLAY_FORMAT, required=True)
    game = fields.String(required=True)
    engine = fields.String(required=True)
    options = fields.Nested(OptionsSchema, required=True)
    seats = fields.List(fields.Nested(ReplaySeatSchema, allow_none=True), required=True)
    started = Integer(
        1,
        required=True,
        allow_none=True,
        metadata={"description": "The `seq` of the start; null when there was none."},
    )
    rounds = fields.List(fields.Nested(ReplayRoundSchema), required=True)
    result = fields.Nested(ReplayResultSchema, required=True, allow_none=True)
    events = Integer(1, required=True, metadata={"description": "How many events the log has."})
    head = fields.String(required=True, metadata={"description": "The hash of the last of them."})
    master = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The secret from which every deal follows; null until the game is over."},
    )
    words = fields.List(
        fields.List(fields.Raw()),
        required=True,
        metadata={
            "description": "What was said beside the play as `[seq, type, by, data]`: plans, absences, votes and what "
            "they led to."
        },
    )


class CheckSchema(AnswerSchema):
    """One thing that was checked."""

    name = Choice(*get_args(CheckName), required=True)
    outcome = Choice(*get_args(Outcome), required=True)
    seq = Integer(
        1,
        required=True,
        allow_none=True,
        metadata={"description": "The first event that is wrong, or cannot be told yet; null for none."},
    )
    detail = fields.String(required=True)


class VerificationSchema(AnswerSchema):
    """All that was checked of a game; `outcome` is the worst of its checks."""

    outcome = Choice(*get_args(Outcome), required=True)
    game = fields.String(required=True)
    events = Integer(1, required=True, metadata={"description": "How many events were checked."})
    head = fields.String(required=True, metadata={"description": "The hash of the last of them."})
    checks = fields.List(fields.Nested(CheckSchema), required=True)


FramesQuery: Final = Schema.from_dict(
    {  # two of these names are words of the language
        "from": QueryInteger(
            1, SEQ_MOST, load_default=1, metadata={"description": "The `seq` of the first frame."}
        ),
        "to": QueryInteger(
            1, SEQ_MOST, metadata={"description": "The `seq` of the last frame; the newest, if missing."}
        ),
        "as": Choice(
            *VIEWERS,
            metadata={
                "description": "`seat` as the seat that you hold, `0` to `9` as that seat, `public` as a spectator, "
                "`all` with every hand. If missing: `seat` when you hold one, else `public`."
            },
        ),
        "limit": QueryInteger(
            1,
            PAGE_MOST,
            code=PAGE_TOO_LARGE,
            load_default=PAGE_MOST,
            metadata={"description": "How many frames at most.", "example": PAGE_MOST},
        ),
    },
    name="FramesQuery",
)
"""Which steps of a game, seen by whom."""


class FrameSchema(AnswerSchema):
    """A game after one of its events, as a viewer saw it."""

    type = Choice(*EVENTS, required=True, metadata={"description": "What had just happened."})
    view = fields.Nested(ViewSchema, required=True)
    hands = fields.List(
        fields.List(Card()),
        required=True,
        allow_none=True,
        metadata={"description": "Every hand, for `as=all`; else null."},
    )
    laid_cards = fields.List(
        Card(allow_none=True),
        required=True,
        allow_none=True,
        metadata={"description": "The card that lies face down before each seat, for `as=all`; else null."},
    )


class FramePageSchema(AnswerSchema):
    """Some steps of a game, in order."""

    items = fields.List(fields.Nested(FrameSchema), required=True)
    next_from = Integer(
        1,
        required=True,
        allow_none=True,
        metadata={"description": "Ask for what follows with `?from=` this; null when there is no more now."},
    )
