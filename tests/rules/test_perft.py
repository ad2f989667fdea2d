"""How many games a tiny deal has, and how each may end, against a model that shares no code with the rules.

In the model a number card n is 10n and Joker j is j, as the booklet compares them.
"""

from __future__ import annotations

from collections import Counter
from itertools import permutations, product
from math import factorial
from typing import Any

import pytest

from engine import commands as c
from engine.cards import Card
from engine.chance import Context
from engine.decide import act
from engine.decisions import open_decisions
from engine.game import Game
from engine.options import Options, Pace, RoundsEnd
from engine.rulesets import PRO_STAGES, RULESETS, RuleSet
from tests.rules.table import START, Stacked, answers, lobby, seat_all, stacked, start

Hands = tuple[tuple[int, ...], ...]
Rows = tuple[tuple[int, ...], ...]
Piles = tuple[frozenset[int], ...]
Ends = Counter[tuple[Rows, Piles]]
"""How many games end with these rows and piles."""


def model(hands: Hands, rows: Rows, piles: Piles, limit: int) -> Ends:
    """Every way in which the round may go on from here, by brute force."""
    if not hands[0]:
        return Counter([(rows, piles)])
    ends: Ends = Counter()
    for plays in product(*hands):
        left = tuple(tuple(card for card in hand if card not in plays) for hand in hands)
        queue = sorted((card, seat) for seat, card in enumerate(plays))
        for after, captured in outcomes(
            queue, [list(row) for row in rows], [set(pile) for pile in piles], limit
        ):
            ends += model(left, after, captured, limit)
    return ends


def outcomes(
    queue: list[tuple[int, int]], rows: list[list[int]], piles: list[set[int]], limit: int
) -> list[tuple[Rows, Piles]]:
    """What may have become of rows and piles when these cards are placed, once for each way to choose."""
    if not queue:
        return [(tuple(tuple(row) for row in rows), tuple(frozenset(pile) for pile in piles))]
    (card, seat), *rest = queue
    found = []
    for choice, takes in ways(card, rows, limit):
        new_rows, new_piles = [list(row) for row in rows], [set(pile) for pile in piles]
        if takes:
            new_piles[seat].update(new_rows[choice])
            new_rows[choice] = []
        new_rows[choice].append(card)
        found += outcomes(rest, new_rows, new_piles, limit)
    return found


def ways(card: int, rows: list[list[int]], limit: int) -> list[tuple[int, bool]]:
    """Where the card may go, and whether it takes what lies there."""
    everywhere = list(range(len(rows)))
    if card < 10:
        appended = [(row, False) for row in everywhere if len(rows[row]) < limit and rows[row][-1] >= 10]
        return [*appended, *((row, True) for row in everywhere)]
    lower = {end(rows[row]): row for row in everywhere if end(rows[row]) < card}
    if not lower:
        return [(row, True) for row in everywhere]
    closest = lower[max(lower)]
    return [(closest, len(rows[closest]) == limit)]


def end(row: list[int]) -> int:
    """What a row's end counts: a Joker after a number lies just above it."""
    return row[-1] if row[-1] >= 10 or len(row) == 1 else row[-2] + row[-1]


def explore(game: Game, chance: Stacked) -> Ends:
    """Every way in which the round may go on from here, by the rules."""
    if game.status == "finished":
        piles = tuple(frozenset(tenths(pile)) for pile in game.piles)
        return Counter([(tuple(tuple(tenths(row)) for row in game.rows), piles)])
    decisions = open_decisions(game)
    if not decisions:
        return explore(act(game, c.Advance(), Context(START, chance))[0], chance)
    ends: Ends = Counter()
    for command in answers(game, decisions[0]):
        ends += explore(act(game, command, Context(START, chance))[0], chance)
    return ends


def tenths(cards: tuple[Card, ...]) -> list[int]:
    """The cards as the model writes them."""
    return [int(card[1:]) if isinstance(card, str) else 10 * card for card in cards]


def tiny(
    monkeypatch: pytest.MonkeyPatch, seats: int, chance: Stacked, rules: dict[str, Any], **options: Any
) -> Game:
    """A started game of one round by a rule set of its own."""
    end = RoundsEnd(1)
    monkeypatch.setitem(RULESETS, "tiny", RuleSet("tiny", "Tiny", end, **rules))
    table = seat_all(lobby(seats))
    made = Options("tiny", seats, end, Pace("untimed", None, None), **options)
    return start(
        Game(table.id, made, table.seed_commit, table.host, START, table.seats, seq=table.seq), chance
    )


DEALS: list[tuple[str, tuple[tuple[Card, ...], ...], tuple[int, ...], int, int]] = [
    ("nobody is ever low", ((50, 60), (55, 65)), (10, 20), 5, 4),
    ("always low", ((1, 2), (3, 4)), (50, 60), 2, 16),
    ("short rows", ((5, 30, 70), (12, 45, 90)), (10, 40), 2, 87),
    ("three seats", ((3, 60), (25, 61), (44, 62)), (20, 30, 40), 3, 24),
    ("four rows", ((1, 9, 35), (8, 33, 34)), (10, 20, 30, 32), 5, 504),
    ("a Joker each", (("J3", 50), ("J1", 60)), (10, 20), 5, 50),
    ("Jokers in short rows", (("J9", 5, 15), ("J0", 12, 70)), (10, 40), 2, 557),
    ("three Jokers", (("J4", 30), ("J2", 31), ("J7", 5)), (10, 20), 2, 304),
]
"""What it is about, the hands, the rows' first cards, how long rows grow, how many games there are."""

WAYS: dict[str, dict[str, Any]] = {
    "last card laid": {"auto_last_card": True},
    "last card asked": {"auto_last_card": False},
    "openly": {"learning_rounds": 1, "learning_only": True},
}
"""How the same deal may be played."""


@pytest.mark.parametrize("way", WAYS)
@pytest.mark.parametrize(
    ("hands", "rows", "limit", "games"), [deal[1:] for deal in DEALS], ids=[deal[0] for deal in DEALS]
)
def test_the_rules_know_exactly_the_games_there_are(
    monkeypatch: pytest.MonkeyPatch,
    hands: tuple[tuple[Card, ...], ...],
    rows: tuple[int, ...],
    limit: int,
    games: int,
    way: str,
) -> None:
    jokers = sum(isinstance(card, str) for card in hands[0])
    rules = {"rows": len(rows), "row_limit": limit, "dealt": len(hands[0]) - jokers, "jokers": jokers}
    chance = stacked(hands, rows)
    found = explore(tiny(monkeypatch, len(hands), chance, rules, **WAYS[way]), chance)
    held = tuple(tuple(tenths(hand)) for hand in hands)
    expected = model(held, tuple((10 * card,) for card in rows), (frozenset(),) * len(hands), limit)
    assert found == expected
    assert found.total() == games


@pytest.mark.parametrize(
    ("dealt", "rows", "limit", "games"),
    [(1, 2, 5, 18), (2, 1, 2, 480), (1, 3, 2, 36)],
    ids=["two rows", "one short row", "three rows"],
)
def test_the_rules_know_exactly_the_drafts_there_are_and_their_games(
    monkeypatch: pytest.MonkeyPatch, dealt: int, rows: int, limit: int, games: int
) -> None:
    size = 2 * dealt + rows
    rules = {"rows": rows, "row_limit": limit, "dealt": dealt, "deck": "as_needed", "stages": PRO_STAGES}
    found = explore(tiny(monkeypatch, 2, stacked([], []), rules), stacked([], []))
    expected: Ends = Counter()
    drafts = list(permutations(range(1, size + 1), 2 * dealt))
    assert len(drafts) == factorial(size) // factorial(rows)
    for picks in drafts:
        left = [card for card in range(1, size + 1) if card not in picks]
        hands = tuple(tuple(10 * card for card in sorted(picks[seat::2])) for seat in range(2))
        expected += model(hands, tuple((10 * card,) for card in left), (frozenset(),) * 2, limit)
    assert found == expected
    assert found.total() == games
