"""How many games a tiny deal has, and how each may end, against a model that shares no code with the rules."""

from __future__ import annotations

from collections import Counter
from itertools import product

import pytest

from engine import commands as c
from engine.cards import Card
from engine.chance import Context
from engine.decide import act
from engine.decisions import open_decisions
from engine.game import Game
from engine.options import Options, Pace, RoundsEnd
from engine.rulesets import RULESETS, RuleSet
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
    lower = [row for row in rows if row[-1] < card]
    if lower:
        closest = max(lower, key=lambda row: row[-1])
        choices, takes = [rows.index(closest)], len(closest) == limit
    else:
        choices, takes = list(range(len(rows))), True
    found = []
    for choice in choices:
        new_rows, new_piles = [list(row) for row in rows], [set(pile) for pile in piles]
        if takes:
            new_piles[seat].update(new_rows[choice])
            new_rows[choice] = []
        new_rows[choice].append(card)
        found += outcomes(rest, new_rows, new_piles, limit)
    return found


def explore(game: Game, chance: Stacked) -> Ends:
    """Every way in which the round may go on from here, by the rules."""
    decisions = open_decisions(game)
    if game.status == "finished":
        return Counter([(game.rows, tuple(frozenset(pile) for pile in game.piles))])  # type: ignore[list-item, arg-type]  # the deals here have number cards only
    if not decisions:
        return explore(act(game, c.Advance(), Context(START, chance))[0], chance)
    ends: Ends = Counter()
    for command in answers(game, decisions[0]):
        ends += explore(act(game, command, Context(START, chance))[0], chance)
    return ends


DEALS: list[tuple[str, Hands, tuple[int, ...], int, int]] = [
    ("nobody is ever low", ((50, 60), (55, 65)), (10, 20), 5, 4),
    ("always low", ((1, 2), (3, 4)), (50, 60), 2, 16),
    ("short rows", ((5, 30, 70), (12, 45, 90)), (10, 40), 2, 87),
    ("three seats", ((3, 60), (25, 61), (44, 62)), (20, 30, 40), 3, 24),
    ("four rows", ((1, 9, 35), (8, 33, 34)), (10, 20, 30, 32), 5, 504),
]
"""What it is about, the hands, the rows' first cards, how long rows grow, how many games there are."""


@pytest.mark.parametrize("auto_last_card", [True, False], ids=["last card laid", "last card asked"])
@pytest.mark.parametrize(
    ("hands", "rows", "limit", "games"), [deal[1:] for deal in DEALS], ids=[deal[0] for deal in DEALS]
)
def test_the_rules_know_exactly_the_games_there_are(
    monkeypatch: pytest.MonkeyPatch,
    hands: Hands,
    rows: tuple[int, ...],
    limit: int,
    games: int,
    auto_last_card: bool,
) -> None:
    end = RoundsEnd(1)
    tiny = RuleSet("tiny", "Tiny", end, rows=len(rows), row_limit=limit, dealt=len(hands[0]))
    monkeypatch.setitem(RULESETS, "tiny", tiny)
    dealt: list[tuple[Card, ...]] = list(hands)
    chance = stacked(dealt, rows)
    options = Options("tiny", len(hands), end, Pace("untimed", None, None), auto_last_card=auto_last_card)
    table = seat_all(lobby(len(hands)))
    ready = Game(table.id, options, table.seed_commit, table.host, START, table.seats, seq=table.seq)
    found = explore(start(ready, chance), chance)
    expected = model(hands, tuple((card,) for card in rows), (frozenset(),) * len(hands), limit)
    assert found == expected
    assert found.total() == games
