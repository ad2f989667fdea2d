"""Values that stand in a file or an answer of whoever wrote it: checked before they are used, harmless in a terminal."""

from __future__ import annotations

from typing import Any, Final, TypeAlias

from engine.cards import Card, is_card
from engine.rulesets import RULESETS

Cards: TypeAlias = tuple[Card, ...]

MOST_SEATS: Final = max(rules.max_seats for rules in RULESETS.values())
"""How many seats the largest table has."""

_LONGEST: Final = 32


def printable(text: str, most: int = _LONGEST) -> str:
    """Text of somebody else's as it may stand in a terminal: one line, no control characters, cut at `most`."""
    safe = "".join(character if character.isprintable() else "?" for character in text)
    return safe if len(safe) <= most else safe[: most - 1] + "…"


def badged(name: str, kind: str, owner: str | None) -> str:
    """What a seat's holder is called in a terminal: a bot that is a player is said to be one, and whose."""
    if kind != "bot":
        return printable(name)
    return f"{printable(name)} (bot of {printable(owner)})" if owner else f"{printable(name)} (bot)"


def harmless(value: Any) -> Any:
    """The same JSON value, with nothing in it that a terminal would obey."""
    match value:
        case str():
            return printable(value, len(value))
        case {}:
            return {harmless(name): harmless(item) for name, item in value.items()}
        case [*items]:
            return [harmless(item) for item in items]
        case _:
            return value


def seats_of(options: dict[str, Any]) -> int:
    """How many seats the options of a game name; raises ValueError for a number that no table has."""
    seats = options["seats"]
    if type(seats) is not int or not 1 <= seats <= MOST_SEATS:
        raise ValueError(f"no table has {seats!r} seats")
    return seats


def card_of(value: Any) -> Card:
    """The card of that code; raises ValueError for any other value."""
    if not is_card(value):
        raise ValueError(f"no such card: {value!r}")
    return value  # type: ignore[no-any-return]  # is_card has just told


def cards_of(values: list[Any]) -> Cards:
    """The cards of these codes, in their order."""
    return tuple(card_of(value) for value in values)


def rows_of(rows: list[list[Any]]) -> tuple[Cards, ...]:
    """Rows, or hands, of cards."""
    return tuple(cards_of(row) for row in rows)
