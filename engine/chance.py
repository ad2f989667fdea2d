"""What a decision needs from outside the game: the moment, and what the game leaves to chance."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

from engine.cards import Card
from engine.times import Millis


class Chance(Protocol):
    """What a game leaves to chance, fixed beforehand; `engine.deals.FairShuffle` is the one that games are served with."""

    def deck(
        self, game: str, number: int, attempt: int, client_seeds: tuple[str, ...], high: int
    ) -> tuple[Card, ...]:
        """The number cards 1 to `high` in the order in which a round deals them."""
        ...

    def jokers(self, game: str, number: int, attempt: int, client_seeds: tuple[str, ...]) -> tuple[Card, ...]:
        """The ten Jokers in the order in which a round deals them."""
        ...

    def round_seed(self, number: int, attempt: int) -> bytes:
        """What fixes the deal of a round; secret until the round is over."""
        ...

    def salt(self, seq: int, part: str) -> str:
        """The salt of a sealed part."""
        ...

    @property
    def master(self) -> bytes:
        """What fixes all of the above; secret until the game is over."""
        ...


@dataclass(frozen=True, slots=True)
class Context:
    """What the world adds to a decision: the moment, and the game's chance."""

    now: Millis
    chance: Chance
