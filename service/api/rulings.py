"""How we read the rules, in words: what we decided where the printed ones are silent or differ, and what is often missed."""

from __future__ import annotations

from typing import Final

RULINGS: Final[dict[str, str]] = {
    "laying a card": """\
A laid card is final. Laying the same card again is accepted and changes nothing. With the option `recommit` a card
may be changed until the reveal.""",
    "placing": """\
Cards are placed one at a time in ascending order, each against the rows as they stand then: on the row with the
highest end below the card. The owner has no choice.""",
    "a full row": """\
A card that would be the sixth takes the five before it and starts the row again; it is not taken itself.""",
    "a low card": """\
The owner of a card below all row ends chooses any row after the reveal, when the card's turn comes, takes all its
cards and starts the row with it. Later cards wait. At most one choice is made in a turn, for its lowest card. A
card whose only fitting row is full is not low.""",
    "bullheads": """\
55 counts 7, any other multiple of 11 counts 5, a multiple of 10 counts 3, a card ending in 5 counts 2, any other
counts 1.""",
    "ten players": """\
Ten players use the whole deck. Nothing is ever drawn from the cards that were not dealt.""",
    "the end": """\
The end is tested after a round only, never within it. Cards left in the rows or never dealt count for nobody.""",
    "winning": """\
The lowest total wins, even when it is past the limit itself. A tie for the lowest is shared; the ranks below are
competition ranks: 1, 1, 3.""",
    "a seat that is late": """\
A card is laid for it by the table's policy; a row is chosen with the fewest bullheads, then the fewest cards, then
the lowest number. The log says that it was automatic.""",
    "the last card": """\
It leaves nothing to choose, so the service lays it, unless `auto_last_card` is off.""",
}
"""What a ruling is about, and what it says."""
