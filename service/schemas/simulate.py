"""Bodies about one turn placed as a pure function: a position and what is laid go in, where every card went comes out."""

from __future__ import annotations

from typing import Any, Final, get_args

from marshmallow import fields

from engine.rows import Why
from engine.rulesets import RULESETS
from service.schemas.base import AnswerSchema, Schema
from service.schemas.fields import Card, Choice, Integer
from service.schemas.views import MODES, PlaySchema

_SEAT: Final = {"description": "Seats are numbered from 0."}
_ROW: Final = {"description": "Rows are numbered from 0, top to bottom."}


class LaidPlaySchema(Schema):
    """A card, and the seat that lays it."""

    seat = Integer(0, required=True, metadata=_SEAT)
    card = Card(required=True)


class MadeChoiceSchema(Schema):
    """The row that a seat chooses when it is asked to."""

    seat = Integer(0, required=True, metadata=_SEAT)
    row = Integer(0, required=True, metadata=_ROW)
    mode = Choice(*MODES, metadata={"description": "How a Joker is placed; a low card always takes its row."})


class PositionSchema(Schema):
    """The rows of a table, the cards that its seats lay in one turn, and the choices they make where they are asked."""

    ruleset = fields.String(
        required=True, metadata={"description": "The id of a rule set.", "enum": list(RULESETS)}
    )
    rows = fields.List(
        fields.List(Card()),
        required=True,
        metadata={"description": "The cards of each row from left to right, top row first."},
    )
    plays = fields.List(fields.Nested(LaidPlaySchema), required=True)
    choices = fields.List(
        fields.Nested(MadeChoiceSchema),
        load_default=list,
        metadata={"description": "Leave a choice out and the turn stops where it is needed: see `pending`."},
    )


class PlacementSchema(AnswerSchema):
    """A card that joined a row, and what it captured."""

    seat = Integer(0, required=True)
    card = Card(required=True)
    row = Integer(0, required=True)
    position = Integer(
        0,
        required=True,
        metadata={"description": "Where in the row the card lies now; 0 if it began it anew."},
    )
    why = Choice(*get_args(Why), required=True)
    captured = fields.List(Card(), required=True)
    bullheads = Integer(0, required=True)


class CaptureSchema(AnswerSchema):
    """All that one seat captured in the turn."""

    seat = Integer(0, required=True)
    cards = fields.List(Card(), required=True)
    bullheads = Integer(0, required=True)


class LegalRowsSchema(AnswerSchema):
    """What a choice may be."""

    rows = fields.List(
        fields.List(Choice(*MODES)),
        required=True,
        metadata={"description": "The legal modes of each row, top row first."},
    )


class PendingChoiceSchema(AnswerSchema):
    """Where the turn has stopped: the choice that is missing, and the cards that wait for it, lowest first."""

    seat = Integer(0, required=True)
    card = Card(required=True)
    why = Choice("too_low", "joker", required=True)
    legal = fields.Nested(LegalRowsSchema, required=True)
    queue = fields.List(
        fields.Nested(PlaySchema),
        required=True,
        metadata={"description": "Every card that is not placed yet, the one that asks among them."},
    )


class SimulationSchema(AnswerSchema):
    """A turn as it was placed: wholly, or up to a choice that is missing."""

    rows = fields.List(fields.List(Card()), required=True)
    placements = fields.List(fields.Nested(PlacementSchema), required=True)
    captures = fields.List(fields.Nested(CaptureSchema), required=True)
    pending = fields.Nested(PendingChoiceSchema, required=True, allow_none=True)


_ROWS: Final = [[20], [30, 31], [40], [50]]
_PLAYS: Final = [{"seat": 0, "card": 5}, {"seat": 1, "card": 60}]

REQUEST_EXAMPLES: Final[dict[str, dict[str, Any]]] = {
    "whole": {
        "summary": "A low card whose owner takes the second row",
        "value": {"ruleset": "classic", "rows": _ROWS, "plays": _PLAYS, "choices": [{"seat": 0, "row": 1}]},
    },
    "open": {
        "summary": "The same without the choice",
        "value": {"ruleset": "classic", "rows": _ROWS, "plays": _PLAYS},
    },
}
ANSWER_EXAMPLES: Final[dict[str, dict[str, Any]]] = {
    "whole": {
        "summary": "The whole turn",
        "value": {
            "rows": [[20], [5], [40], [50, 60]],
            "placements": [
                {
                    "seat": 0,
                    "card": 5,
                    "row": 1,
                    "position": 0,
                    "why": "too_low",
                    "captured": [30, 31],
                    "bullheads": 4,
                },
                {
                    "seat": 1,
                    "card": 60,
                    "row": 3,
                    "position": 1,
                    "why": "appended",
                    "captured": [],
                    "bullheads": 0,
                },
            ],
            "captures": [{"seat": 0, "cards": [30, 31], "bullheads": 4}],
            "pending": None,
        },
    },
    "open": {
        "summary": "The turn up to the choice that is missing",
        "value": {
            "rows": _ROWS,
            "placements": [],
            "captures": [],
            "pending": {
                "seat": 0,
                "card": 5,
                "why": "too_low",
                "legal": {"rows": [["take"]] * 4},
                "queue": _PLAYS,
            },
        },
    },
}
