"""Bodies that teach a rule set: its parts, how it is played, how we read it, and what a table may choose."""

from __future__ import annotations

from marshmallow import fields

from service.schemas.base import AnswerSchema
from service.schemas.fields import Boolean, Card, Integer
from service.schemas.rulesets import RuleSetSummarySchema
from service.schemas.simulate import MadeChoiceSchema, SimulationSchema
from service.schemas.views import PlaySchema


class CardValueSchema(AnswerSchema):
    """A card and what it costs its taker."""

    card = Card(required=True)
    bullheads = Integer(1, required=True)


class RulingSchema(AnswerSchema):
    """What we decided where the printed rules are silent or differ, or what is often played wrong."""

    about = fields.String(required=True)
    ruling = fields.String(required=True)
    decided = Boolean(
        required=True,
        metadata={"description": "Whether the booklets are silent or differ, so that we chose."},
    )


class WorkedSchema(AnswerSchema):
    """A worked example: a turn as it is laid out, and what happens."""

    name = fields.String(required=True)
    title = fields.String(required=True)
    rows = fields.List(fields.List(Card()), required=True)
    plays = fields.List(fields.Nested(PlaySchema), required=True)
    choices = fields.List(
        fields.Nested(MadeChoiceSchema),
        required=True,
        metadata={
            "description": "What seats choose when they are asked; this and the two above fit `/v1/simulate`."
        },
    )
    result = fields.Nested(
        SimulationSchema, required=True, metadata={"description": "What `/v1/simulate` answers to them."}
    )
    what_happens = fields.String(required=True, metadata={"description": "The same for people."})


class ConflictSchema(AnswerSchema):
    """Options that do not fit each other."""

    options = fields.List(
        fields.String(),
        required=True,
        metadata={"description": "The JSON Pointers with which `bad_options` names them."},
    )
    sentence = fields.String(required=True)


class RuleSetSchema(RuleSetSummarySchema):
    """A rule set in full."""

    rows = Integer(1, required=True)
    row_limit = Integer(1, required=True, metadata={"description": "How many cards a row holds."})
    hand_size = Integer(
        1, required=True, metadata={"description": "How many cards a seat has, one a turn, Jokers included."}
    )
    jokers = Integer(0, required=True, metadata={"description": "How many of them are Jokers."})
    lowest_wins = fields.Boolean(required=True)
    goal = fields.String(required=True, metadata={"description": "What it is all about."})
    set_up = fields.List(
        fields.String(), required=True, metadata={"description": "How a round begins, step by step."}
    )
    turn = fields.List(
        fields.String(), required=True, metadata={"description": "What happens in a turn, in order."}
    )
    scoring = fields.List(
        fields.String(), required=True, metadata={"description": "What captured cards count."}
    )
    ends = fields.List(
        fields.String(), required=True, metadata={"description": "When a game is over, and who has won it."}
    )
    examples = fields.List(fields.Nested(WorkedSchema), required=True)
    options = fields.Dict(
        required=True,
        metadata={"description": "JSON Schema (2020-12) of the options that `POST /v1/games` takes."},
    )
    cards = fields.List(
        fields.Nested(CardValueSchema),
        required=True,
        metadata={"description": "Every card there can be, Jokers last."},
    )
    conflicts = fields.List(
        fields.Nested(ConflictSchema),
        required=True,
        metadata={"description": "Options that are refused together."},
    )
    rulings = fields.List(fields.Nested(RulingSchema), required=True)
