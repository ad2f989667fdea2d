"""Bodies about hints: what each card of a hand would do now."""

from __future__ import annotations

from typing import get_args

from marshmallow import fields

from engine.table import ExplainCode
from service.schemas.base import AnswerSchema
from service.schemas.fields import Card, Choice, Integer
from service.schemas.views import MODES


class RowCostSchema(AnswerSchema):
    """One way to place a card whose owner chooses."""

    row = Integer(0, required=True)
    mode = Choice(*MODES, required=True)
    bullheads = Integer(0, required=True, metadata={"description": "What it captures."})


class HintSchema(AnswerSchema):
    """What a card would do if it were placed on the rows as they are now."""

    card = Card(required=True)
    code = Choice(*get_args(ExplainCode), required=True)
    row = Integer(
        0,
        required=True,
        allow_none=True,
        metadata={"description": "Where it would go; null where its owner chooses among `choices`."},
    )
    between = Integer(
        0,
        required=True,
        metadata={
            "description": "How many number cards may others lay that are placed on that row before it, as far as you "
            "can tell; for a card that is too low, all lower ones."
        },
    )
    free = Integer(0, required=True, allow_none=True, metadata={"description": "The places left in the row."})
    cost = Integer(
        0,
        required=True,
        metadata={"description": "The bullheads that it captures now, at the cheapest choice."},
    )
    cost_if_full = Integer(
        0,
        required=True,
        allow_none=True,
        metadata={
            "description": "What the row counts now: the least that it captures once the row has filled up."
        },
    )
    choices = fields.List(fields.Nested(RowCostSchema), required=True)
    sentence = fields.String(required=True, metadata={"description": "The same for people."})


class HintListSchema(AnswerSchema):
    """A hint for each card of your hand, while you may lay one."""

    key = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The decision that they are for; null when you may lay none now."},
    )
    items = fields.List(fields.Nested(HintSchema), required=True)
