"""What a shuffled deck becomes on the table: hands, rows and stock (docs/log.md, the fair shuffle)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import NamedTuple

from engine.cards import Card, in_order
from engine.chance import Chance
from engine.rows import Rows
from engine.rulesets import RuleSet


class Deal(NamedTuple):
    """A deck and where its cards go: number cards first, Jokers last in `deck` and `stock`; hands ascending."""

    deck: tuple[Card, ...]
    hands: tuple[tuple[Card, ...], ...]
    rows: Rows
    stock: tuple[Card, ...]


def dealt(rules: RuleSet, seats: int, numbers: Sequence[Card], jokers: Sequence[Card]) -> Deal:
    """The deal of two shuffled decks: seat k has the k-th ten numbers and the k-th Joker, the next four start rows."""
    size, each = rules.dealt, rules.jokers
    hands = tuple(
        [
            in_order((*numbers[size * seat : size * (seat + 1)], *jokers[each * seat : each * (seat + 1)]))
            for seat in range(seats)
        ]
    )
    rest = numbers[size * seats :]
    rows = tuple([(card,) for card in rest[: rules.rows]])
    return Deal((*numbers, *jokers), hands, rows, (*rest[rules.rows :], *jokers[each * seats :]))


def deal_of(
    chance: Chance, rules: RuleSet, game: str, number: int, attempt: int, client_seeds: tuple[str, ...]
) -> Deal:
    """The deal of a round by the chance of its game."""
    seats = len(client_seeds)
    place = game, number, attempt, client_seeds
    numbers = chance.deck(*place, rules.deck_range(seats)[1])
    return dealt(rules, seats, numbers, chance.jokers(*place) if rules.jokers else ())
