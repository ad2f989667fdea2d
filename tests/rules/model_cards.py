"""The words of the model: cards, rule sets, seats and votes."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

RULES: dict[str, dict[str, Any]] = {
    "classic": {"end": {"points": 66, "when": "reached"}},
    "take5-us-2018": {"end": {"points": 66, "when": "exceeded"}},
    "category-5": {"end": {"points": 74, "when": "exceeded"}},
    "three-rounds": {"end": {"rounds": 3}},
    "tactics": {"end": {"points": 66, "when": "reached"}, "small": True},
    "pro": {"end": {"points": 66, "when": "reached"}, "small": True, "draft": True},
    "jokers": {"end": {"points": 66, "when": "reached"}, "jokers": True},
}
DAY_MS, MINUTE_MS = 24 * 3_600_000, 60_000


def value(card: Any) -> int:
    """A card in tenths: number n is 10n, Joker j is j."""
    return int(card[1:]) if isinstance(card, str) else 10 * card


def heads(cards: list[Any]) -> int:
    """The bullheads of some cards."""
    worth = 0
    for card in cards:
        if isinstance(card, str):
            worth += 1
        elif card == 55:
            worth += 7
        elif card % 11 == 0:
            worth += 5
        elif card % 10 == 0:
            worth += 3
        elif card % 10 == 5:
            worth += 2
        else:
            worth += 1
    return worth


def row_end(row: list[Any]) -> int:
    """A row's end in tenths; a Joker lies just above the number before it."""
    if isinstance(row[-1], str) and len(row) > 1:
        return value(row[-2]) + value(row[-1])
    return value(row[-1])


def closest(rows: list[list[Any]], card: Any) -> int | None:
    """The row with the highest end below a number; a Joker and a low number have none."""
    lower = [row for row in range(len(rows)) if row_end(rows[row]) < value(card)]
    return None if isinstance(card, str) or not lower else max(lower, key=lambda row: row_end(rows[row]))


def modes(rows: list[list[Any]], card: Any) -> list[list[str]]:
    """How a card that asks may be put on each row."""
    return [
        ["append", "take"]
        if isinstance(card, str) and len(row) < 5 and not isinstance(row[-1], str)
        else ["take"]
        for row in rows
    ]


def cheapest(rows: list[list[Any]], among: list[int]) -> int:
    """The row with the fewest bullheads, then cards, then the lowest number."""
    return min(among, key=lambda row: (heads(rows[row]), len(rows[row]), row))


@dataclass
class Seat:
    """Who sits there and how it is answered for."""

    kind: str
    house: bool
    bank: int = 0
    away: bool = False
    late: int = 0
    timeouts: int = 0


@dataclass
class Vote:
    """A vote that is open."""

    number: int
    kind: str
    opener: int
    target: int | None
    place: tuple[int, int]
    deadline: int
    ballots: dict[int, str] = field(default_factory=dict)
