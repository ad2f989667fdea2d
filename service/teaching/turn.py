"""What happens in a turn, in order."""

from __future__ import annotations

from typing import Final

from service.teaching.said import Said, can_be_learnt, has_jokers

TURN: Final = (
    Said("Each seat lays a card of its hand, face down."),
    Said("When all have, the cards are revealed together, and nothing can be changed any more."),
    Said(
        "They are placed one at a time, the lowest first, each on the rows as they are by then; Jokers come before"
        " all numbers.",
        has_jokers,
    ),
    Said(
        "They are placed one at a time, the lowest first, each on the rows as they are by then.",
        lambda rules: not has_jokers(rules),
    ),
    Said("A number card goes to the row whose end is the closest below it: the highest of the lower ends."),
    Said(
        "A row takes up to {row_limit} cards. The card that would be number {too_many} captures those {row_limit}"
        " for its owner, and starts the row again."
    ),
    Said(
        "A card that is lower than every row end fits nowhere: when its moment comes its owner takes all cards of"
        " any row, and the card starts that row again. The later cards wait for that choice."
    ),
    Said(
        "The owner of a Joker chooses when its moment comes: it joins a row that has a free place and ends in a"
        " number, or it takes any row and starts it again.",
        has_jokers,
    ),
    Said(
        "A row that ends in a Joker counts the number before it and the Joker's tenths: J4 behind 17 makes 17.4. A"
        " Joker that lies alone counts its tenths only, so beside it no number is too low.",
        has_jokers,
    ),
    Said("{hand_size} turns empty the hands, and the round is over."),
    Said(
        "In a round for learning the seats lay openly, one after the other, beginning with a seat that moves on"
        " every turn.",
        can_be_learnt,
    ),
)
