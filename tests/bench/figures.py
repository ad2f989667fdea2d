"""What chance does over many rounds, beside the known figures of four seats that lay random cards.

`python -m tests.bench.figures` plays 10 000 rounds each way.
"""

from __future__ import annotations

import random
import sys
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from engine import commands as c
from engine.cards import JOKERS, Card, bullheads
from engine.chance import Context
from engine.decide import act, create
from engine.evolve import created
from engine.game import Game
from engine.resolve import resolve
from engine.rows import Rows
from engine.times import Millis

SEATS: Final = 4
TOLERANCE: Final = 0.1

ChooseRow = Callable[[Rows, random.Random], int]


@dataclass(frozen=True)
class Shuffled:
    """Chance from an ordinary generator, with nothing sealed."""

    seed: int
    master: bytes = bytes(32)

    def deck(
        self, game: str, number: int, attempt: int, client_seeds: tuple[str, ...], high: int
    ) -> tuple[Card, ...]:
        """The deck of the round, the same whenever it is asked for."""
        return _shuffled(self.seed, number)

    def jokers(self, game: str, number: int, attempt: int, client_seeds: tuple[str, ...]) -> tuple[Card, ...]:
        """The Jokers in their own order."""
        return JOKERS

    def round_seed(self, number: int, attempt: int) -> bytes:
        """The same seed every round."""
        return self.master

    def salt(self, seq: int, part: str) -> str:
        """No salt."""
        return ""


@lru_cache(maxsize=4)
def _shuffled(seed: int, number: int) -> tuple[Card, ...]:
    return tuple(random.Random(f"{seed}/{number}").sample(range(1, 105), 104))


def cheapest(rows: Rows, pick: random.Random) -> int:
    """The row with the fewest bullheads, then the fewest cards."""
    return min(range(len(rows)), key=lambda row: (bullheads(rows[row]), len(rows[row])))


def any_row(rows: Rows, pick: random.Random) -> int:
    """Any row, each equally likely."""
    return pick.randrange(len(rows))


def finished(seed: int, end: dict[str, Any], choose: ChooseRow) -> Game:
    """A whole game of random cards."""
    context = Context(Millis(0), Shuffled(seed))
    options = resolve({"seats": SEATS, "end": end, "pace": "untimed"})
    game = created("g_test", create(c.CreateGame("g_test", "p0", options), context), context.now)
    for seat in range(SEATS):
        game, _ = act(game, c.JoinSeat(f"p{seat}", f"n{seat}", "human"), context)
    game, _ = act(game, c.StartGame("p0"), context)
    pick = random.Random(seed)
    while game.status == "playing":
        for command in _wanted(game, choose, pick):
            game, _ = act(game, command, context)
    return game


def _wanted(game: Game, choose: ChooseRow, pick: random.Random) -> Iterator[c.Command]:
    if game.request is None:
        for seat, hand in enumerate(game.hands):
            yield c.LayCard(seat, game.round, game.turn, pick.choice(hand))
    else:
        yield c.ChooseRow(game.request.seat, game.round, game.turn, choose(game.rows, pick))
    yield c.Advance()


def bullheads_a_round(rounds: int, choose: ChooseRow) -> float:
    """The mean of bullheads per seat and round, over so many rounds in games of a hundred."""
    games = [finished(seed, {"rounds": 100}, choose) for seed in range(rounds // 100)]
    return sum(sum(game.totals) for game in games) / (SEATS * 100 * len(games))


def rounds_to_66(rounds: int) -> float:
    """The mean length of a game to 66, over as many games as have so many rounds together."""
    lengths: list[int] = []
    while sum(lengths) < rounds:
        lengths.append(finished(len(lengths), {"points": 66, "when": "reached"}, cheapest).round)
    return sum(lengths) / len(lengths)


def measure(rounds: int = 10_000) -> bool:
    """Print each figure beside what it should be; whether all are close enough."""
    figures = (
        ("bullheads, cheapest row", bullheads_a_round(rounds, cheapest), 12.11),
        ("bullheads, random row", bullheads_a_round(rounds, any_row), 13.34),
        ("rounds to 66", rounds_to_66(rounds), 4.42),
    )
    for name, figure, known in figures:
        print(f"{name:24} {figure:6.2f}   known: {known} +/- {TOLERANCE}")
    return all(abs(figure - known) <= TOLERANCE for _, figure, known in figures)


if __name__ == "__main__":
    sys.exit(not measure())
