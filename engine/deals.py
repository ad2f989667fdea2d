"""The fair shuffle `take5-shuffle-1`: a deal is fixed by secrets committed to beforehand and by what the seats add.

Everybody can compute a deal again once its round seed is published: the deck is the rule set's cards sorted by
HMAC-SHA256 of their codes under a key made from the round seed, the game, the round and the seats' client seeds.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from functools import lru_cache
from typing import Final

from engine.canonical import canonical
from engine.cards import JOKERS, Card

SHUFFLE: Final = "take5-shuffle-1"
"""The name of this shuffle in logs and replay files."""


def seed_commit(master: bytes) -> str:
    """What is published when the game is created: SHA-256 of the master secret, in hexadecimal."""
    return hashlib.sha256(master).hexdigest()


def round_seed(master: bytes, round_number: int, attempt: int) -> bytes:
    """The 32 bytes that fix one deal; published after the round, they tell nothing about the master."""
    return _hmac(master, f"take5/round/{round_number}/{attempt}".encode())


def round_commit(seed: bytes) -> str:
    """What is published before the deal: SHA-256 of the round seed, in hexadecimal."""
    return hashlib.sha256(seed).hexdigest()


def deck_key(seed: bytes, game: str, round_number: int, attempt: int, client_seeds: Sequence[str]) -> bytes:
    """The key that orders the deck; `client_seeds` has one text a seat, empty where a seat added nothing."""
    return _hmac(seed, canonical(["take5/deck", game, round_number, attempt, list(client_seeds)]))


@lru_cache(maxsize=256)
def number_deck(key: bytes, high: int) -> tuple[Card, ...]:
    """The number cards 1 to `high` in the order that the key fixes."""
    return shuffled(key, range(1, high + 1))


@lru_cache(maxsize=256)
def joker_deck(key: bytes) -> tuple[Card, ...]:
    """The ten Jokers in the order that the key fixes; they are shuffled apart from the number cards."""
    return shuffled(key, JOKERS)


def shuffled(key: bytes, cards: Iterable[Card]) -> tuple[Card, ...]:
    """The cards in the order that the key fixes."""
    return tuple(sorted(cards, key=lambda card: _hmac(key, str(card).encode())))


def draw(seed: bytes, purpose: str, bound: int) -> int:
    """A number below `bound` that nobody without the seed can foresee and everybody with it can repeat.

    The remainder of a 256-bit number: for the bounds of a hand or the rows its bias is below 2**-240.
    """
    return int.from_bytes(_hmac(seed, purpose.encode())) % bound


def bot_seed(seed: bytes, seat: int, moment: str) -> bytes:
    """What a house bot or automatic play draws from, at one seat in one turn or pick (HMAC-SHA256 of the round seed).

    `moment` is `t5` in turn 5 and `d13` at pick 13, as in the key of the decision.
    """
    return _hmac(seed, f"take5/bot/{seat}/{moment.removeprefix('t')}".encode())


def salt(master: bytes, seq: int, part: str) -> str:
    """The salt of a sealed part: 16 bytes in hexadecimal, the same whenever the same event is written again."""
    return _hmac(master, f"take5/salt/{seq}/{part}".encode())[:16].hex()


@dataclass(frozen=True, slots=True)
class FairShuffle:
    """The chance of one game, all of it computed from the master secret."""

    master: bytes = field(repr=False)

    def round_seed(self, number: int, attempt: int) -> bytes:
        """The seed of a round's deal."""
        return round_seed(self.master, number, attempt)

    def deck(
        self, game: str, number: int, attempt: int, client_seeds: tuple[str, ...], high: int
    ) -> tuple[Card, ...]:
        """The number cards of a round's deal, in order."""
        return number_deck(
            deck_key(self.round_seed(number, attempt), game, number, attempt, client_seeds), high
        )

    def jokers(self, game: str, number: int, attempt: int, client_seeds: tuple[str, ...]) -> tuple[Card, ...]:
        """The Jokers of a round's deal, in order."""
        return joker_deck(deck_key(self.round_seed(number, attempt), game, number, attempt, client_seeds))

    def salt(self, seq: int, part: str) -> str:
        """The salt of a sealed part."""
        return salt(self.master, seq, part)


def _hmac(key: bytes, message: bytes) -> bytes:
    return hmac.digest(key, message, "sha256")
