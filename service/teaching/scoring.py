"""What captured cards count."""

from __future__ import annotations

from typing import Final

from service.teaching.said import Said, can_be_learnt, has_jokers

SCORING: Final = (
    Said(
        "A card's bullheads, the first that fits: 55 counts 7, a multiple of 11 counts 5, a multiple of 10 counts"
        " 3, a card that ends in 5 counts 2, any other counts 1."
    ),
    Said("A Joker counts 1.", has_jokers),
    Said("After the round the bullheads that each seat captured in it are added to its total."),
    Said("What lies in the rows then, and what was never in play, counts for nobody."),
    Said("What is captured in a round for learning is shown and not added.", can_be_learnt),
)
