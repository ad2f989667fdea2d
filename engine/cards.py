"""The deck: card codes, their order on the table and their bullheads.

A card is written the same way everywhere, in state, log and JSON: the number cards are the integers 1 to 104, the ten
Jokers the strings "J0" to "J9".
"""

from __future__ import annotations

from collections.abc import Iterable
from typing import Final, TypeAlias

Card: TypeAlias = int | str

HIGHEST: Final = 104
"""The highest number card of the full deck."""

JOKERS: Final[tuple[str, ...]] = tuple(f"J{digit}" for digit in range(10))
"""The ten Jokers, 0.0 to 0.9."""


def _number_bullheads(number: int) -> int:
    """Bullheads printed on a number card; the first match wins (rules, section 1)."""
    if number == 55:
        return 7
    if number % 11 == 0:
        return 5
    if number % 10 == 0:
        return 3
    return 2 if number % 10 == 5 else 1


BULLHEADS: Final[dict[Card, int]] = {
    **{number: _number_bullheads(number) for number in range(1, HIGHEST + 1)},
    **dict.fromkeys(JOKERS, 1),
}
"""Bullheads of every card; a Joker counts one."""

TENTHS: Final[dict[Card, int]] = {
    **{number: 10 * number for number in range(1, HIGHEST + 1)},
    **{joker: digit for digit, joker in enumerate(JOKERS)},
}
"""The value of every card in integer tenths: 17 is 170, Joker 0.4 is 4. Cards are compared by it and placed in its order."""


def is_card(value: object) -> bool:
    """Whether `value` is the code of a card; `True`, `5.0` and "5" are not."""
    return type(value) in (int, str) and value in TENTHS


def is_joker(card: Card) -> bool:
    """Whether the card is one of the ten Jokers."""
    return isinstance(card, str)


def bullheads(cards: Iterable[Card]) -> int:
    """The bullheads of the cards together."""
    return sum(map(BULLHEADS.__getitem__, cards))


def in_order(cards: Iterable[Card]) -> tuple[Card, ...]:
    """The cards in ascending order, Jokers first."""
    return tuple(sorted(cards, key=TENTHS.__getitem__))
