"""The placing rule: where a card goes, what it captures and when its owner must choose (rules, sections 2 and 6)."""

from __future__ import annotations

from typing import Final, Literal, NamedTuple, TypeAlias

from engine.cards import TENTHS, Card, bullheads, is_joker
from engine.errors import Refusal

Row: TypeAlias = tuple[Card, ...]
Rows: TypeAlias = tuple[Row, ...]
Mode: TypeAlias = Literal["append", "take"]
Why: TypeAlias = Literal["appended", "sixth", "too_low", "joker"]
Modes: TypeAlias = tuple[tuple[Mode, ...], ...]
"""Per row, top to bottom, the modes its chooser may name."""

TAKE: Final[tuple[Mode, ...]] = ("take",)
APPEND_OR_TAKE: Final[tuple[Mode, ...]] = ("append", "take")


class Placement(NamedTuple):
    """One card joining a row: `row` and `position` from 0, what was captured, and the rows afterwards."""

    row: int
    position: int
    why: Why
    captured: tuple[Card, ...]
    bullheads: int
    rows: Rows


def end_tenths(row: Row) -> int:
    """The value of a row's end in tenths; a Joker after number n counts n + j, a lone Joker j."""
    tenths = TENTHS[row[-1]]
    if tenths >= 10 or len(row) == 1:
        return tenths
    return TENTHS[row[-2]] + tenths


def closest_row(rows: Rows, card: Card) -> int | None:
    """The row whose end is the highest below a number card, or None when the card is lower than every end."""
    value = TENTHS[card]
    closest, highest = None, -1
    for index, row in enumerate(rows):
        end = TENTHS[row[-1]]
        if end < 10:
            end = end_tenths(row)
        if highest < end < value:
            closest, highest = index, end
    return closest


def cheapest_row(rows: Rows) -> int:
    """The row with the fewest bullheads, then the fewest cards, then the lowest number."""
    return min(range(len(rows)), key=lambda row: (bullheads(rows[row]), len(rows[row]), row))


def choice(rows: Rows, card: Card, row_limit: int) -> Modes | None:
    """What the card's owner may choose from, per row, or None when the rules leave nothing to choose."""
    if is_joker(card):
        return tuple(
            APPEND_OR_TAKE if len(row) < row_limit and not is_joker(row[-1]) else TAKE for row in rows
        )
    if closest_row(rows, card) is None:
        return (TAKE,) * len(rows)
    return None


def place(rows: Rows, card: Card, row_limit: int) -> Placement | None:
    """Place a card that leaves no choice: to the closest row's right end, or as its first card when that row is full.

    None when its owner has to choose (`choice` lists from what).
    """
    index = None if isinstance(card, str) else closest_row(rows, card)
    if index is None:
        return None
    if len(rows[index]) < row_limit:
        return _append(rows, index, card, "appended")
    return _take(rows, index, card, "sixth")


def chosen_mode(rows: Rows, card: Card, row_limit: int, row: int, mode: Mode | None) -> Mode:
    """How a choice places the card: `append` or `take`.

    `mode` may be left out for a number card; on a full row `append` means `take`.
    Raises `Refusal`: no_row_choice for a card that fits, row_out_of_range, mode_not_legal.
    """
    legal = choice(rows, card, row_limit)
    if legal is None:
        raise Refusal("no_row_choice", f"Card {card} fits a row, so there is nothing to choose.")
    if not 0 <= row < len(rows):
        raise _refused(
            "row_out_of_range", f"Rows are numbered 0 to {len(rows) - 1}; {row} is none of them.", legal
        )
    if mode in legal[row]:
        return mode
    if mode is None and not is_joker(card):
        return "take"
    if mode is None:
        raise _refused("mode_not_legal", "A Joker needs a mode: append or take.", legal)
    if is_joker(card) and len(rows[row]) >= row_limit:
        return "take"
    detail = (
        f"Card {card} cannot be placed on row {row} with mode {mode}; legal there: {', '.join(legal[row])}."
    )
    raise _refused("mode_not_legal", detail, legal)


def _refused(code: str, detail: str, legal: Modes) -> Refusal:
    pointer = "/row" if code == "row_out_of_range" else "/mode"
    return Refusal(code, detail, legal={"rows": [list(modes) for modes in legal]}, pointers=(pointer,))


def place_chosen(rows: Rows, card: Card, row_limit: int, row: int, mode: Mode | None = None) -> Placement:
    """Place a card where its owner chose; refuses what `chosen_mode` refuses."""
    return place_as(rows, card, row, chosen_mode(rows, card, row_limit, row, mode))


def place_as(rows: Rows, card: Card, row: int, mode: Mode) -> Placement:
    """Place a card by a choice that is known to be legal."""
    if mode == "append":
        return _append(rows, row, card, "joker")
    return _take(rows, row, card, "joker" if is_joker(card) else "too_low")


def _append(rows: Rows, index: int, card: Card, why: Why) -> Placement:
    row = rows[index]
    return Placement(index, len(row), why, (), 0, _with_row(rows, index, (*row, card)))


def _take(rows: Rows, index: int, card: Card, why: Why) -> Placement:
    row = rows[index]
    return Placement(index, 0, why, row, bullheads(row), _with_row(rows, index, (card,)))


def _with_row(rows: Rows, index: int, row: Row) -> Rows:
    changed = list(rows)
    changed[index] = row
    return tuple(changed)
