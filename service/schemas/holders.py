"""Who holds the seats of a game."""

from __future__ import annotations

from typing import get_args

from marshmallow import fields

from engine.players import Controller, Kind
from engine.policies import HOUSE_LEVELS
from service.schemas.base import AnswerSchema
from service.schemas.fields import Boolean, Choice, Integer


class OwnerSchema(AnswerSchema):
    """Whose bot it is."""

    player = fields.String(required=True)
    name = fields.String(required=True, metadata={"description": "The owner's name when the bot sat down."})


class SeatHolderSchema(AnswerSchema):
    """A taken seat: who holds it, how it stands and how it has answered."""

    seat = Integer(0, required=True)
    player = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "The holder's id, also when the seat was given up; null for a house bot from the start."
        },
    )
    name = fields.String(required=True)
    kind = Choice(*get_args(Kind), required=True)
    level = Choice(
        *HOUSE_LEVELS,
        required=True,
        allow_none=True,
        metadata={
            "description": "How strong the house bot is that plays the seat, from the start or since its holder gave it up; "
            "null where none does."
        },
    )
    owner = fields.Nested(
        OwnerSchema,
        required=True,
        allow_none=True,
        metadata={"description": "Whose bot it is; null for a person, a house bot, and a bot of nobody's."},
    )
    accepts_bots = Boolean(required=True, metadata={"description": "Whether the holder plays with bots."})
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
    controller = Choice(
        *get_args(Controller),
        required=True,
        metadata={
            "description": "Who answers for the seat: its holder; the table's policy, while the holder is away; a house bot."
        },
    )
    presence = Choice(
        "online",
        "away",
        required=True,
        metadata={"description": "`away` while the seat is played for until its holder returns."},
    )
    timeouts = Integer(
        0, required=True, metadata={"description": "How many answers the service gave because none came."}
    )
    bank_ms = Integer(
        0,
        required=True,
        metadata={"description": "What is left of the seat's time bank, after its last answer."},
    )
