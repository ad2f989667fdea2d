"""Why a card goes where it goes, as a code and a sentence for somebody who learns the game."""

from __future__ import annotations

from collections.abc import Sequence

from engine import events as e
from engine.cards import TENTHS, bullheads, is_joker
from engine.rows import Rows, closest_row, end_tenths


def explained(rows: Rows, play: e.Play, row_limit: int) -> e.CardExplained:
    """The explanation of a card that is about to be placed on these rows, where rows are counted from 0, top to bottom."""
    seat, card = play
    if is_joker(card):
        sentence = f"{card} is a Joker: its owner joins it to a row, or takes a row with it."
        return e.CardExplained(seat, card, "joker", (), None, sentence)
    lower = tuple([index for index, row in enumerate(rows) if end_tenths(row) < TENTHS[card]])
    closest = closest_row(rows, card)
    if closest is None:
        sentence = (
            f"{card} is lower than every row end ({_ends(rows, range(len(rows)))}), so it fits nowhere:"
            " its owner takes a row of any length, and the card starts that row again."
        )
        return e.CardExplained(seat, card, "too_low", lower, None, sentence)
    row = rows[closest]
    among = (
        f"Of the row ends lower than {card} ({_ends(rows, lower)}), {row[-1]} in row {closest} is the closest"
    )
    if len(row) < row_limit:
        place = f"the card joins it as number {len(row) + 1} of {row_limit}."
        return e.CardExplained(seat, card, "closest_row", lower, closest, f"{among}: {place}")
    price = bullheads(row)
    full = (
        f"{among}. That row has its {row_limit} cards, and this is one too many: its owner takes them,"
        f" {price} {'bullhead' if price == 1 else 'bullheads'}, and the card starts the row again."
    )
    return e.CardExplained(seat, card, "row_full", lower, closest, full)


def _ends(rows: Rows, indices: Sequence[int]) -> str:
    return ", ".join(str(rows[index][-1]) for index in indices)
