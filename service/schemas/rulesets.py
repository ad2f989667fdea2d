"""Bodies about the rule sets."""

from __future__ import annotations

from typing import Final

from marshmallow import fields

from service.schemas.base import AnswerSchema, page_of
from service.schemas.fields import Card, Choice, Integer


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


class CardValueSchema(AnswerSchema):
    """A card and what it costs its taker."""

    card = Card(required=True)
    bullheads = Integer(1, required=True)


class RulingSchema(AnswerSchema):
    """What we decided where the printed rules are silent or differ, or what is often played wrong."""

    about = fields.String(required=True)
    ruling = fields.String(required=True)


class RuleSetSchema(RuleSetSummarySchema):
    """A rule set in full."""

    rows = Integer(1, required=True)
    row_limit = Integer(1, required=True, metadata={"description": "How many cards a row holds."})
    hand_size = Integer(
        1, required=True, metadata={"description": "How many cards a seat has, one a turn, Jokers included."}
    )
    jokers = Integer(0, required=True, metadata={"description": "How many of them are Jokers."})
    lowest_wins = fields.Boolean(required=True)
    options = fields.Dict(
        required=True,
        metadata={"description": "JSON Schema (2020-12) of the options that `POST /v1/games` takes."},
    )
    cards = fields.List(
        fields.Nested(CardValueSchema),
        required=True,
        metadata={"description": "Every card there can be, Jokers last."},
    )
    rulings = fields.List(fields.Nested(RulingSchema), required=True)


RuleSetPageSchema: Final = page_of(RuleSetSummarySchema, "RuleSetPage")
