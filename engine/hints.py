"""What a card would do now, for somebody who learns the game: where it would go, what may come before it, what it costs."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from engine.cards import TENTHS, Card, bullheads, is_joker
from engine.policies import unseen
from engine.rows import Mode, Placement, Rows, choice, place
from engine.table import ExplainCode
from engine.views import View


@dataclass(frozen=True, slots=True)
class RowCost:
    """One way to place a card whose owner chooses, and the bullheads that it costs."""

    row: int
    mode: Mode
    bullheads: int


@dataclass(frozen=True, slots=True)
class Hint:
    """What a card would do if it were placed on the rows as they are now.

    `row` is where it would go, None where its owner chooses among `choices`. `between` counts the number cards that another
    seat may lay this turn and that would be placed on that row before it; for a card that is too low, all lower ones. `free`
    are the places left in the row. `cost` is what it captures now, at the cheapest choice; `cost_if_full` what the row's
    cards count, which is the least it captures when the row fills up before.
    """

    card: Card
    code: ExplainCode
    row: int | None
    between: int
    free: int | None
    cost: int
    cost_if_full: int | None
    choices: tuple[RowCost, ...]
    sentence: str


def hints(view: View) -> tuple[Hint, ...]:
    """A hint for each card of the viewer's hand, from what the viewer can see."""
    rows: Rows = tuple([tuple(row["cards"]) for row in view["rows"]])
    others = _others(view)
    return tuple([_hint(view, rows, others, card) for card in view["hand"]])


def _others(view: View) -> list[Card]:
    """The number cards that other seats may lay this turn, as far as the viewer can tell."""
    if view["hands"] is None:
        return unseen(view)
    laid: list[Card | None] = view["laid_cards"] or [None] * len(view["hands"])
    coming: list[Card] = []
    for seat, (hand, card) in enumerate(zip(view["hands"], laid, strict=True)):
        if seat != view["you"]:
            coming += hand if card is None else [card]
    return [card for card in coming if not is_joker(card)]


def _hint(view: View, rows: Rows, others: Sequence[Card], card: Card) -> Hint:
    limit: int = view["rules"]["row_limit"]
    placement = place(rows, card, limit)
    if placement is not None:
        return _fitting(view, rows, others, card, placement)
    choices = tuple(
        [
            RowCost(row, mode, 0 if mode == "append" else bullheads(rows[row]))
            for row, modes in enumerate(choice(rows, card, limit) or ())
            for mode in modes
        ]
    )
    cost = min(one.bullheads for one in choices)
    if is_joker(card):
        return Hint(card, "joker", None, 0, None, cost, None, choices, _of_joker(choices, cost))
    lower = sum(TENTHS[other] < TENTHS[card] for other in others)
    sentence = f"{card} is lower than every row end: you would take a row, for {_price(cost)} at least."
    if lower:
        sentence += (
            f" {_cards(lower, view)} lower still: whoever lays one chooses first, and {card} may fit then."
        )
    return Hint(card, "too_low", None, lower, None, cost, None, choices, sentence)


def _fitting(view: View, rows: Rows, others: Sequence[Card], card: Card, placement: Placement) -> Hint:
    row = rows[placement.row]
    end: int = view["rows"][placement.row]["end_tenths"]
    between = sum(end < TENTHS[other] < TENTHS[card] for other in others)
    free, price = view["rules"]["row_limit"] - len(row), bullheads(row)
    code: ExplainCode = "closest_row" if free else "row_full"
    if free:
        places = "1 place is" if free == 1 else f"{free} places are"
        sentence = f"{card} would go to row {placement.row}, behind {row[-1]}, where {places} free."
        sentence += _before(view, between, free, price)
    else:
        sentence = (
            f"{card} would go to row {placement.row}, which is full: you would take it, for {_price(price)}."
        )
        if between:
            sentence += f" {_cards(between, view)} between: whoever lays one takes the row first, and {card} joins it."
    return Hint(card, code, placement.row, between, free, placement.bullheads, price, (), sentence)


def _before(view: View, between: int, free: int, price: int) -> str:
    """What other cards can do to a row with free places before the card comes."""
    others = len(view["seats"]) - 1
    joker = " A Joker is placed before it, and may take a place." if view["rules"]["jokers"] else ""
    if free > others:
        return f" Only {others} {'other lays' if others == 1 else 'others lay'}: it cannot be one too many there."
    if not between:
        return f" No number card can come between.{joker}"
    if between < free:
        return f" {_cards(between, view)} between, too few to fill the row.{joker}"
    return (
        f" {_cards(between, view)} between: if {free} of them {'comes' if free == 1 else 'come'} before it, the row is full"
        f" and you take it, for more than {_price(price)}.{joker}"
    )


def _of_joker(choices: Sequence[RowCost], cost: int) -> str:
    joins = [str(one.row) for one in choices if one.mode == "append"]
    if not joins:
        return f"You would take a row with it, for {_price(cost)} at least: it can join none."
    rows = f"row {joins[0]}" if len(joins) == 1 else f"rows {', '.join(joins[:-1])} or {joins[-1]}"
    return f"You would choose: it can join {rows} and capture nothing, or take any row."


def _cards(number: int, view: View) -> str:
    cards, verb = ("card", "is") if number == 1 else ("cards", "are")
    return (
        f"{number} unseen {cards} {verb}" if view["hands"] is None else f"{number} {cards} of others {verb}"
    )


def _price(number: int) -> str:
    return f"{number} {'bullhead' if number == 1 else 'bullheads'}"
