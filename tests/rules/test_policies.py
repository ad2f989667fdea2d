"""Policies answer from a view alone: always legally, always the same, and by the rule each is named after."""

from __future__ import annotations

from itertools import product
from math import prod
from typing import Any

import pytest
from hypothesis import given

from engine.cards import TENTHS, Card, bullheads
from engine.decisions import open_decisions
from engine.policies import (
    CARD_POLICIES,
    HOUSE_LEVELS,
    PICK_POLICIES,
    cheapest_choice,
    highest_card,
    lowest_card,
    lowest_risk,
    random_card,
    unseen,
)
from engine.rows import choice, end_tenths, place
from engine.views import View, view
from tests.rules.chosen import games
from tests.rules.table import Step, started
from tests.searching import examples

SEED = bytes(32)


@examples(10)
@given(games(max_seats=6))
def test_every_policy_lays_a_card_of_the_hand_and_repeats_itself(done: list[Step]) -> None:
    for step in done[::5]:
        for decision in open_decisions(step.after):
            seen = view(step.after, decision.seat, "")
            if decision.key.kind == "row":
                row, mode = cheapest_choice(seen)
                assert mode in decision.rows[row]
                continue
            if decision.key.kind == "ballot":
                continue
            if decision.key.kind == "pick":
                for policy in PICK_POLICIES.values():
                    assert policy(seen, SEED) == policy(seen, SEED)
                    assert policy(seen, SEED) in decision.cards
                continue
            for policy in CARD_POLICIES.values():
                card = policy(seen, SEED)
                assert card in decision.cards
                assert policy(seen, SEED) == card


def table(rows: list[list[int]], hand: list[int], seats: int = 2, seen: list[int] | None = None) -> View:
    """As much of a view as a policy looks at."""
    shown: list[dict[str, Any]] = [
        {"cards": row, "end_tenths": 10 * row[-1], "bullheads": bullheads(row)} for row in rows
    ]
    rules = {"low": 1, "high": 104, "row_limit": 5}
    return {
        "rows": shown,
        "hand": hand,
        "seen": seen or [],
        "seats": [None] * seats,
        "rules": rules,
        "pending": None,
    }


def test_lowest_and_highest_are_what_they_say() -> None:
    shown = table([[20]], [30, 7, 55])
    assert (lowest_card(shown, SEED), highest_card(shown, SEED)) == (7, 55)


def test_the_random_card_depends_on_the_seed_and_reaches_every_card() -> None:
    shown = table([[20]], [30, 7, 55])
    assert {random_card(shown, bytes([number])) for number in range(40)} == {30, 7, 55}


def test_the_cheapest_row_has_the_fewest_bullheads_then_cards_then_the_lowest_number() -> None:
    assert cheapest_choice(table([[55], [10], [1, 2], [20]], [])) == (2, "take")
    assert cheapest_choice(table([[10], [1, 2, 3], [20], [55]], [])) == (0, "take")
    assert cheapest_choice(table([[1, 2, 3], [10], [20], [55]], [])) == (1, "take")


def test_what_is_unseen_is_neither_held_nor_on_the_table_nor_captured() -> None:
    game = started(3)
    hidden = unseen(view(game, 1, ""))
    assert len(hidden) == 104 - 10 - 4
    assert not set(hidden) & {*game.hands[1], *(row[0] for row in game.rows)}
    assert unseen(table([[1], [2]], [3], seen=[4])) == list(range(5, 105))


def expected(view: View, card: Card) -> float:
    """What the docstring of `lowest_risk` says, by going through every way in which the others may lay."""
    rows = tuple(tuple(row["cards"]) for row in view["rows"])
    hidden, others = unseen(view), len(view["seats"]) - 1
    if place(rows, card, 5) is None:
        modes = choice(rows, card, 5) or ()
        return 0 if any("append" in there for there in modes) else min(bullheads(row) for row in rows)
    end, index = max((end_tenths(row), at) for at, row in enumerate(rows) if end_tenths(row) < TENTHS[card])
    free, mean = 5 - len(rows[index]), bullheads(hidden) / len(hidden)
    share = sum(end < TENTHS[other] < TENTHS[card] for other in hidden) / len(hidden)
    # Each other seat's card falls between or does not, independently.
    falls = [pattern for pattern in product((True, False), repeat=others) if sum(pattern) == free]
    probability = sum(prod(share if between else 1 - share for between in pattern) for pattern in falls)
    return probability * (bullheads(rows[index]) + free * mean)


@examples(20)
@given(games(max_seats=5))
def test_lowest_risk_lays_the_card_that_costs_least_in_the_mean(done: list[Step]) -> None:
    for step in done[::9]:
        for decision in open_decisions(step.after):
            if decision.key.kind == "card":
                seen = view(step.after, decision.seat, "")
                chosen = lowest_risk(seen, SEED)
                costs = {card: expected(seen, card) for card in decision.cards}
                assert costs[chosen] == pytest.approx(min(costs.values()))


def test_lowest_risk_prefers_a_safe_card_and_the_lowest_of_several() -> None:
    assert lowest_risk(table([[10, 11, 12, 13, 14], [60]], [15, 61, 62]), SEED) == 61
    assert lowest_risk(table([[55], [66]], [1, 67]), SEED) == 67
    assert lowest_risk(table([[100, 101, 102, 103]], [104], seen=[*range(1, 100)]), SEED) == 104


def test_house_bots_play_by_policies() -> None:
    assert set(HOUSE_LEVELS) <= CARD_POLICIES.keys()
