"""How a round begins."""

from __future__ import annotations

from typing import Final

from service.teaching.said import (
    Said,
    can_be_learnt,
    deals,
    drafts,
    has_jokers,
    uses_small_deck,
    uses_whole_deck,
)

SET_UP: Final = (
    Said("{min_seats} to {max_seats} play; seats are counted from 0."),
    Said("The deck has one card of each number from {low} to {high}.", uses_whole_deck),
    Said(
        "The deck has as many cards as are needed: the numbers from 1 to {dealt} times the seats and {rows} more, from"
        " {fewest} for {min_seats} to {high} for {max_seats}. So everybody knows which cards are in play.",
        uses_small_deck,
    ),
    Said("It is shuffled, and each seat is dealt {dealt} cards, which only its holder sees.", deals),
    Said(
        "It lies open. Beginning with the first drafter the seats pick a card each, clockwise and always in the same"
        " direction, until each has {dealt}; with three seats and seat 2 first: 2, 0, 1, 2, 0, 1, and so on.",
        drafts,
    ),
    Said(
        "Picks are public; afterwards the hands are hidden, and only who has taken notes knows them.", drafts
    ),
    Said(
        "A seat may plan: it names the cards it wants, the dearest first, and gets at each of its picks the first"
        " that is left.",
        drafts,
    ),
    Said(
        "Ten Jokers, J0 to J9, are shuffled apart, and each seat is dealt one on top; the others are set aside. So"
        " a hand has {hand_size} cards.",
        has_jokers,
    ),
    Said("The next {rows} number cards start the rows, in the order of the deal.", deals),
    Said("The {rows} cards that nobody picked start the rows, ascending.", drafts),
    Said("There are {rows} rows, counted from 0 to {last_row}, top to bottom."),
    Said("The rest stays secret and is never drawn.", uses_whole_deck),
    Said(
        "A table may begin with rounds for learning: all hands lie open, the seats lay one after the other, each"
        " placement is explained, and nothing counts.",
        can_be_learnt,
    ),
)
