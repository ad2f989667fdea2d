"""Whole games as logs, for what is read from files: of any options, with what is said beside the play at chosen moments."""

from __future__ import annotations

import random
from collections.abc import Mapping
from typing import Any

from engine import commands as c
from engine.automatic import next_deadline
from engine.chance import Context
from engine.deals import FairShuffle
from engine.decide import act, create
from engine.decisions import Decision, open_decisions
from engine.evolve import created
from engine.log import Envelope, Live, Position, position, seal
from engine.resolve import resolve
from engine.times import Millis

CHANCE = FairShuffle(bytes(range(32)))
NAMES = ("ada", "bob", "cleo", "dan", "eve", "fay")
LATE = "late"
"""Stands for: nobody answers until the time is up."""

Said = Mapping[int, tuple[c.Command | str, ...]]


class Log:
    """A game that is played by whoever asks for things, and the log of it."""

    def __init__(self, seats: int, before: tuple[c.JoinSeat, ...] = (), **options: Any) -> None:
        self.now = Millis(1_767_268_800_000)
        asked = {"ruleset": "classic", "seats": seats, "pace": "live", "end": {"rounds": 1}, **options}
        event = create(c.CreateGame("g_1", "p0", resolve(asked)), self._context())
        self.envelopes: list[Envelope] = seal(Position("g_1"), [event], self.now, CHANCE)
        self.live = Live(created("g_1", event, self.now), self.envelopes[-1]["hash"])
        for join in before:
            self.do(join)
        for seat in range(seats):
            if self.live.game.seats[seat] is None:
                self.do(c.JoinSeat(f"p{seat}", NAMES[seat], "human", seat, accept_bots=bool(before)))
        self.do(c.StartGame("p0"))

    def _context(self) -> Context:
        return Context(self.now, CHANCE)

    def do(self, command: c.Command | str) -> None:
        """Carry one command out, five seconds later; or wait until something happens because its time is up."""
        self.now = Millis(self.now + 5000)
        if command == LATE:
            self.now = Millis(max(self.now, next_deadline(self.live.game) or 0))
            command = c.Expire()
        assert not isinstance(command, str)
        game, happened = act(self.live.game, command, self._context())
        if happened:
            added = seal(position(self.live), happened, self.now, CHANCE)
            self.envelopes += added
            self.live = Live(game, added[-1]["hash"])


def played(seats: int, said: Said | None = None, *, seed: int = 1, **options: Any) -> list[Envelope]:
    """The log of a game in which every seat answers at random; `said` tells what is said after so many answers."""
    log, chance, answers = Log(seats, **options), random.Random(seed), 0
    waiting = dict(said or {})
    while not log.live.game.is_over:
        log.do(c.Advance())
        for command in waiting.pop(answers, ()):
            log.do(command)
            log.do(c.Advance())
        game = log.live.game
        owed = [one for one in open_decisions(game) if one.key.kind != "ballot"]
        present = [one for one in owed if (holder := game.seats[one.seat]) and not holder.away]
        if present:
            log.do(answer(chance.choice(present), chance))
            answers += 1
        elif not game.is_over:
            log.do(LATE)
    assert not waiting
    return log.envelopes


def answer(decision: Decision, chance: random.Random) -> c.Command:
    """A legal answer by chance."""
    key = decision.key
    match key.kind:
        case "card":
            return c.LayCard(key.seat, key.round, key.number, chance.choice(decision.cards), key.attempt)
        case "pick":
            return c.Pick(key.seat, key.round, key.number, chance.choice(decision.cards), key.attempt)
        case _:
            row = chance.randrange(len(decision.rows))
            mode = chance.choice(decision.rows[row])
            return c.ChooseRow(key.seat, key.round, key.number, row, mode, key.attempt)
