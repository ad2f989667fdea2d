"""Ways to answer for a seat from its view alone: what house bots play by, and what automatic play uses.

Each is a pure function of a `view/1` and a seed, so it knows no more than a client, and its answer can be repeated.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import Final, TypeAlias

from engine.cards import TENTHS, Card, bullheads, is_joker
from engine.deals import draw
from engine.rows import Mode, Rows, cheapest_row as cheapest, closest_row
from engine.views import View

CardPolicy: TypeAlias = Callable[[View, bytes], Card]


def random_card(view: View, seed: bytes) -> Card:
    """Any card of the hand, each equally likely."""
    hand: list[Card] = view["hand"]
    return hand[draw(seed, "card", len(hand))]


def lowest_card(view: View, seed: bytes) -> Card:
    """The lowest card of the hand."""
    return min(_hand(view), key=TENTHS.__getitem__)


def highest_card(view: View, seed: bytes) -> Card:
    """The highest card of the hand."""
    return max(_hand(view), key=TENTHS.__getitem__)


def lowest_risk(view: View, seed: bytes) -> Card:
    """The card that should cost the fewest bullheads this turn, the lowest of several.

    A card that fits a row captures it when it comes as the row's sixth, that is when exactly as many other cards as the
    row has free places fall between the row's end and the card. Each of the other seats is taken to lay any unseen card,
    all equally likely, so the number that falls between is binomial: b of u unseen cards lie between, n - 1 seats lay.
    The price is the row's bullheads and an average unseen card for each that falls between. A card that is lower than
    every row end is priced at the cheapest row, a Joker at nothing where it can be appended, else at the cheapest row, too.
    Compared in integers over the common denominator u to the power n.
    """
    return min(_hand(view), key=lambda card: (_expected_cost(view, card), TENTHS[card]))


def cheapest_choice(view: View) -> tuple[int, Mode]:
    """The row choice that costs least, with its mode: append where a Joker may, else take.

    Of the rows that are legal for it, the one with the fewest bullheads, then the fewest cards, then the lowest number.
    """
    rows, pending = _rows(view), view["pending"]
    appendable = [row for row, modes in enumerate(pending["rows"]) if "append" in modes] if pending else []
    if not appendable:
        return cheapest(rows), "take"
    best = cheapest(tuple([rows[row] for row in appendable]))
    return appendable[best], "append"


def random_pick(view: View, seed: bytes) -> Card:
    """Any card of the open deck, each equally likely."""
    cards = _draftable(view)
    return cards[draw(seed, "pick", len(cards))]


def lowest_pick(view: View, seed: bytes) -> Card:
    """The lowest card of the open deck."""
    return min(_draftable(view), key=TENTHS.__getitem__)


def highest_pick(view: View, seed: bytes) -> Card:
    """The highest card of the open deck: high cards are seldom lower than every row."""
    return max(_draftable(view), key=TENTHS.__getitem__)


def lonely_pick(view: View, seed: bytes) -> Card:
    """The card with the fewest of the open deck close to it, the highest of several.

    Close is within as many numbers as there are seats. What nobody else can hold, nobody else lays between a row's end and
    the card.
    """
    cards, reach = _draftable(view), len(view["seats"])
    return min(
        cards,
        key=lambda card: (
            sum(abs(TENTHS[other] - TENTHS[card]) <= 10 * reach for other in cards),
            -TENTHS[card],
        ),
    )


def unseen(view: View) -> list[Card]:
    """The number cards that may be in other hands or in the stock, ascending."""
    known = {*view["hand"], *view["seen"], *(card for row in view["rows"] for card in row["cards"])}
    return [card for card in range(view["rules"]["low"], view["rules"]["high"] + 1) if card not in known]


def _hand(view: View) -> list[Card]:
    hand: list[Card] = view["hand"]
    return hand


def _draftable(view: View) -> list[Card]:
    cards: list[Card] = view["draft"]["cards"]
    return cards


def _rows(view: View) -> Rows:
    return tuple([tuple(row["cards"]) for row in view["rows"]])


def _expected_cost(view: View, card: Card) -> int:
    rows = _rows(view)
    hidden = unseen(view)
    others: int = len(view["seats"]) - 1
    total = max(len(hidden), 1)
    denominator: int = total ** (others + 1)
    index = None if is_joker(card) else closest_row(rows, card)
    if index is None:
        if is_joker(card) and any(
            len(row) < view["rules"]["row_limit"] and not is_joker(row[-1]) for row in rows
        ):
            return 0
        return bullheads(rows[cheapest(rows)]) * denominator
    row = view["rows"][index]
    free: int = view["rules"]["row_limit"] - len(rows[index])
    if free > others:
        return 0
    between = sum(row["end_tenths"] < TENTHS[other] < TENTHS[card] for other in hidden)
    ways = comb(others, free) * between**free * (total - between) ** (others - free)
    cost: int = ways * (row["bullheads"] * total + free * bullheads(hidden))
    return cost


CARD_POLICIES: Final[dict[str, CardPolicy]] = {
    "random": random_card,
    "lowest_card": lowest_card,
    "highest_card": highest_card,
    "lowest_risk": lowest_risk,
}
"""The policies a table may name in `on_timeout`, by name."""

PICK_POLICIES: Final[dict[str, CardPolicy]] = {
    "random": random_pick,
    "lowest_card": lowest_pick,
    "highest_card": highest_pick,
    "lowest_risk": lonely_pick,
}
"""How each of these policies picks in a draft."""

HOUSE_LEVELS: Final[tuple[str, ...]] = ("random", "lowest_risk")
"""The levels of house bots, from weak to strong; each is the card policy of that name."""
