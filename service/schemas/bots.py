"""Bodies about bots and who owns them."""

from __future__ import annotations

from typing import Final, get_args

from service.schemas.base import Schema, page_of
from service.schemas.fields import Choice, Integer, Name
from service.schemas.players import BotSchema
from service.store.players import Invitations

CONCURRENT: Final = (1, 1000)
"""Bounds of how many games at a time a bot may promise to play."""
_CONCURRENT: Final = {
    "description": "How many games it plays at a time: the service seats it in no more.",
}
_INVITATIONS: Final = {
    "description": "Who may seat it at a table of theirs: its owner alone, or anyone who knows its id."
}


class NewBotSchema(Schema):
    """A bot of yours."""

    name = Name(required=True)
    max_concurrent = Integer(*CONCURRENT, load_default=10, metadata=_CONCURRENT)
    invitations = Choice(*get_args(Invitations), load_default="owner", metadata=_INVITATIONS)


class ChangeBotSchema(Schema):
    """What is to change of a bot; what is left out stays."""

    name = Name()
    max_concurrent = Integer(*CONCURRENT, metadata=_CONCURRENT)
    invitations = Choice(*get_args(Invitations), metadata=_INVITATIONS)


BotPageSchema: Final = page_of(BotSchema, "BotPage")
