"""Bodies about scores: what each seat captured, round by round."""

from __future__ import annotations

from typing import Final, get_args

from marshmallow import fields

from engine.players import Kind
from engine.rulesets import RULESETS
from engine.scores import RoundKind
from service.schemas.base import AnswerSchema, WaitQuery
from service.schemas.fields import Boolean, Card, Choice, Integer
from service.schemas.views import STATUSES, StandingSchema

SCORE_FORMATS: Final = ("json", "csv", "text")


class ScoresQuery(WaitQuery):
    """In which form."""

    format = Choice(
        *SCORE_FORMATS,
        metadata={"description": "If missing, what `Accept` asks for: JSON, `text/csv` or `text/plain`."},
    )


class ScorerSchema(AnswerSchema):
    """Who holds a seat, or held it."""

    seat = Integer(0, required=True)
    player = fields.String(required=True, allow_none=True)
    name = fields.String(required=True)
    kind = Choice(*get_args(Kind), required=True)
    level = fields.String(required=True, allow_none=True)


class ScoreSchema(AnswerSchema):
    """What a seat captured in a round."""

    seat = Integer(0, required=True)
    captured = fields.List(Card(), required=True, metadata={"description": "In the order of capture."})
    bullheads = Integer(0, required=True)
    total_bullheads = Integer(
        0, required=True, metadata={"description": "After this round, as far as it counts."}
    )


class RoundScoresSchema(AnswerSchema):
    """One deal, in the order in which they were dealt."""

    round = Integer(1, required=True)
    attempt = Integer(0, required=True, metadata={"description": "0, or how often it was dealt again."})
    kind = Choice(
        *get_args(RoundKind),
        required=True,
        metadata={
            "description": "`counted`; `learning` and `voided` rounds do not count; the last one may be `unfinished`."
        },
    )
    seats = fields.List(fields.Nested(ScoreSchema), required=True)


class SheetSchema(AnswerSchema):
    """The score sheet of a game so far."""

    game = fields.String(required=True)
    ruleset = Choice(*RULESETS, required=True)
    status = Choice(*STATUSES, required=True)
    lowest_wins = Boolean(required=True)
    seats = fields.List(fields.Nested(ScorerSchema), required=True)
    rounds = fields.List(fields.Nested(RoundScoresSchema), required=True)
    standings = fields.List(
        fields.Nested(StandingSchema), required=True, metadata={"description": "Empty before the end."}
    )
