"""How fast the rules play: rounds per CPU-second of random four-seat games, bare and with full seals and chain.

`python -m tests.bench.engine [profile]`
"""

from __future__ import annotations

import cProfile
import pstats
import random
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Final

from engine import commands as c
from engine.cards import JOKERS, Card
from engine.chance import Chance, Context
from engine.deals import FairShuffle
from engine.decide import act, create
from engine.evolve import created
from engine.game import Game
from engine.log import Live, Position, position, seal
from engine.resolve import resolve
from engine.times import Millis

NOW: Final = Millis(1_767_268_800_000)
SEATS: Final = 4
GAMES: Final = 4
ROUNDS: Final = 10
REPEATS: Final = 25
BAR: Final = 2_000
"""Rounds per CPU-second that the bare rules have to play."""


class PlainChance:
    """Chance that costs nothing: decks shuffled beforehand by an ordinary generator, no hashing, empty salts."""

    def __init__(self) -> None:
        self.master = bytes(32)
        self._decks = [tuple(random.Random(number).sample(range(1, 105), 104)) for number in range(ROUNDS)]

    def deck(
        self, game: str, number: int, attempt: int, client_seeds: tuple[str, ...], high: int
    ) -> tuple[Card, ...]:
        """The deck of the round, the same whenever it is asked for."""
        return self._decks[number - 1]

    def jokers(self, game: str, number: int, attempt: int, client_seeds: tuple[str, ...]) -> tuple[Card, ...]:
        """The Jokers in their own order."""
        return JOKERS

    def round_seed(self, number: int, attempt: int) -> bytes:
        """The same seed every round."""
        return self.master

    def salt(self, seq: int, part: str) -> str:
        """No salt."""
        return ""


PLAIN: Final = PlainChance()


def ready(chance: Chance) -> tuple[Live, Context]:
    """A table of four people who have not started yet, with the head of its log."""
    context = Context(NOW, chance)
    options = resolve({"seats": SEATS, "end": {"rounds": ROUNDS}, "pace": "live"})
    first = create(c.CreateGame("g_bench", "p0", options), context)
    game = created("g_bench", first, NOW)
    head = seal(Position(game.id), (first,), NOW, chance)[-1]["hash"]
    for seat in range(SEATS):
        game, _ = act(game, c.JoinSeat(f"p{seat}", f"n{seat}", "human", seat), context)
    return Live(game, head), context


def following(game: Game, pick: random.Random) -> Iterator[c.Command]:
    """What random players and then the worker want of a game that waits."""
    if game.request is None:
        for seat, hand in enumerate(game.hands):
            yield c.LayCard(seat, game.round, game.turn, hand[int(pick.random() * len(hand))])
    else:
        yield c.ChooseRow(game.request.seat, game.round, game.turn, int(pick.random() * len(game.rows)))
    yield c.Advance()


@dataclass(frozen=True)
class Script:
    """A game before its start, and every command that was carried out in it."""

    game: Game
    context: Context
    commands: list[c.Command]

    def play(self) -> Game:
        """Carry the commands out again, by the rules alone."""
        game, context = self.game, self.context
        for command in self.commands:
            game, _ = act(game, command, context)
        return game


def script(seed: int) -> Script:
    """A whole game by random players."""
    live, context = ready(PLAIN)
    commands: list[c.Command] = [c.StartGame("p0")]
    game, _ = act(live.game, commands[0], context)
    pick = random.Random(seed)
    while game.status == "playing":
        for command in following(game, pick):
            game, _ = act(game, command, context)
            commands.append(command)
    return Script(live.game, context, commands)


def sealed(seed: int) -> None:
    """Play a whole game with a fair shuffle, writing every event into the chained log as the service does."""
    live, context = ready(FairShuffle(seed.to_bytes(32)))
    pick = random.Random(seed)
    pending: Iterator[c.Command] = iter((c.StartGame("p0"),))
    while live.game.status in ("lobby", "playing"):
        for command in pending:
            game, events = act(live.game, command, context)
            if events:
                envelopes = seal(position(live), events, NOW, context.chance)
                live = Live(game, envelopes[-1]["hash"])
        pending = following(live.game, pick)


def loops() -> float:
    """Million turns per CPU-second of an empty Python loop: how fast this machine is just now."""
    return max(1 / _seconds(lambda: [None for _ in range(1_000_000)]) for _ in range(REPEATS))


def rounds_per_second(play: Callable[[int], object]) -> float:
    """Rounds per CPU-second in the best of several short stretches: other work on the machine only slows some down."""
    return max(GAMES * ROUNDS / _seconds(lambda: _each(play)) for _ in range(REPEATS))


def _each(play: Callable[[int], object]) -> None:
    for game in range(GAMES):
        play(game)


def _seconds(work: Callable[[], object]) -> float:
    began = time.process_time()
    work()
    return time.process_time() - began


def measure() -> bool:
    """Print the figures; whether the bar is met."""
    scripts = [script(game) for game in range(GAMES)]
    alone = rounds_per_second(lambda game: scripts[game].play())
    print(f"rules alone            {alone:6.0f} rounds per CPU-second; the bar is {BAR}")
    print(f"with seals and chain   {rounds_per_second(sealed):6.0f} rounds per CPU-second")
    print(f"for comparison         {loops():6.0f} million turns of an empty loop")
    return alone >= BAR


def profile() -> None:
    """Print where the time of the rules goes."""
    scripts = [script(game) for game in range(GAMES)]
    with cProfile.Profile() as measured:
        for game in scripts:
            game.play()
    pstats.Stats(measured).sort_stats("tottime").print_stats(25)


if __name__ == "__main__":
    if sys.argv[1:] == ["profile"]:
        profile()
    else:
        sys.exit(not measure())
