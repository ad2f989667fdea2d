"""What events seal, how a sealed part is opened later, and the cards of a turn."""

from __future__ import annotations

from typing import NamedTuple, TypeAlias

from engine.cards import Card
from engine.options import IfLow


class CardPart(NamedTuple):
    """What `card.laid` seals."""

    card: Card


class CardAheadPart(NamedTuple):
    """What `card.laid` seals when a row choice was made in advance."""

    card: Card
    if_low: IfLow


class PlanPart(NamedTuple):
    """What `draft.planned` seals."""

    plan: tuple[Card, ...]


class HandPart(NamedTuple):
    """What `round.dealt` seals for a seat."""

    hand: tuple[Card, ...]


Part: TypeAlias = CardPart | CardAheadPart | PlanPart | HandPart


class Opening(NamedTuple):
    """A sealed part laid open: the event it stands in, which part, its salt and what it held."""

    seq: int
    part: str
    salt: str
    data: Part


class Play(NamedTuple):
    """A card and the seat that laid it."""

    seat: int
    card: Card


def card_part(card: Card, if_low: IfLow | None) -> CardPart | CardAheadPart:
    """What is sealed of a laid card."""
    return CardAheadPart(card, if_low) if if_low else CardPart(card)
