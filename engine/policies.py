"""Ways to answer for a seat from its view alone: what house bots play by, and what automatic play uses.

Each is a pure function of a `view/1` and a seed, so it knows no more than a client, and its answer can be repeated.
"""

from __future__ import annotations

from collections.abc import Callable
from math import comb
from typing import Final, TypeAlias

from engine.cards import TENTHS, Card, bullheads
from engine.deals import draw
from engine.rows import closest_row
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
    every row end is priced at the cheapest row. Compared in integers over the common denominator u to the power n.
    """
    return min(_hand(view), key=lambda card: (_expected_cost(view, card), TENTHS[card]))


def cheapest_row(view: View) -> int:
    """The row with the fewest bullheads, then the fewest cards, then the lowest number."""
    rows = view["rows"]
    return min(range(len(rows)), key=lambda row: (rows[row]["bullheads"], len(rows[row]["cards"]), row))


def unseen(view: View) -> list[Card]:
    """The number cards that may be in other hands or in the stock, ascending."""
    known = {*view["hand"], *view["seen"], *(card for row in view["rows"] for card in row["cards"])}
    return [card for card in range(view["rules"]["low"], view["rules"]["high"] + 1) if card not in known]


def _hand(view: View) -> list[Card]:
    hand: list[Card] = view["hand"]
    return hand


def _expected_cost(view: View, card: Card) -> int:
    rows = tuple(tuple(row["cards"]) for row in view["rows"])
    hidden = unseen(view)
    others: int = len(view["seats"]) - 1
    total = max(len(hidden), 1)
    denominator: int = total ** (others + 1)
    index = closest_row(rows, card)
    if index is None:
        cheapest: int = view["rows"][cheapest_row(view)]["bullheads"]
        return cheapest * denominator
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

HOUSE_LEVELS: Final[tuple[str, ...]] = ("random", "lowest_risk")
"""The levels of house bots, from weak to strong; each is the card policy of that name."""
