"""Bodies about the rule sets."""

from __future__ import annotations

from typing import Final

from marshmallow import fields

from service.schemas.base import AnswerSchema, page_of
from service.schemas.fields import Choice, Integer


class EndSchema(AnswerSchema):
    """When a game ends: by points or by rounds, never by both; tested after each round."""

    points = Integer(1, metadata={"description": "With `when`: the total that ends the game."})
    when = Choice("reached", "exceeded", metadata={"description": "Whether exactly `points` ends the game."})
    rounds = Integer(1, metadata={"description": "On its own: how many rounds are played."})


class RuleSetSummarySchema(AnswerSchema):
    """A rule set in short."""

    id = fields.String(required=True)
    title = fields.String(required=True)
    min_seats = Integer(2, required=True)
    max_seats = Integer(2, required=True)
    end = fields.Nested(EndSchema, required=True)


RuleSetPageSchema: Final = page_of(RuleSetSummarySchema, "RuleSetPage")
