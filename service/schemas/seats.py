"""Bodies about the seats of a game in its lobby."""

from __future__ import annotations

import marshmallow as ma
from marshmallow import fields

from engine.policies import HOUSE_LEVELS
from service.schemas.base import AnswerSchema, Schema
from service.schemas.fields import Boolean, Id, Integer
from service.schemas.games import ACCEPT_BOTS, CLIENT_SEED, GameSchema


class TakeSeatSchema(Schema):
    """Which seat you want, and on which terms."""

    seat = Integer(metadata={"description": "Counted from 0; the first free one, if missing.", "minimum": 0})
    code = fields.String(
        load_default="",
        validate=ma.validate.Length(max=64),
        metadata={"description": "The join code; a private game wants it."},
    )
    client_seed = fields.String(load_default="", metadata=CLIENT_SEED)
    accept_bots = Boolean(
        load_default=False,
        metadata={"description": ACCEPT_BOTS},
    )


class SeatTakenSchema(AnswerSchema):
    """The seat that was filled, and the game with it."""

    seat = Integer(0, required=True)
    game = fields.Nested(GameSchema, required=True)


class ChangeSeatSchema(Schema):
    """What you want to say from your seat; what is left out stays."""

    ready = Boolean(metadata={"description": "The game starts when every seat is taken and ready."})
    client_seed = fields.String(metadata=CLIENT_SEED)
    accept_bots = Boolean(metadata={"description": "Whether you play with bots."})


class SeatBotSchema(Schema):
    """Which bot to seat: give one of the two."""

    house = fields.String(
        metadata={"description": "A house bot, by how strong it is.", "enum": list(HOUSE_LEVELS)}
    )
    player = Id(metadata={"description": "A bot that is a player, by its id."})
