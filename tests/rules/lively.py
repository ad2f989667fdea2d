"""Tables at which more happens than play: people vote, step away, resign and plan, bots play along, and many are late."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any, Final, get_args

from engine import commands as c
from engine.automatic import next_deadline
from engine.chance import Chance, Context
from engine.decide import act
from engine.decisions import Decision, open_decisions
from engine.errors import Refusal
from engine.game import Game
from engine.table import VoteKind
from engine.times import Millis
from tests.rules.table import FAIR, START, Step, answers, lobby, player_of

LONGEST: Final = 5000
"""More commands than any game here takes."""


def lively(seed: int, seats: int = 2, **options: Any) -> list[Step]:
    """A whole game, from its start, of whatever people, players' bots and house bots may do by chance."""
    done = list(happenings(random.Random(seed), lobby(seats, **options)))
    assert done[-1].after.is_over
    return done


def happenings(
    luck: random.Random, game: Game, chance: Chance = FAIR, *, clock: bool = True
) -> Iterator[Step]:
    """The same step by step, in a lobby that is filled first; without a clock nobody is ever played for."""
    now, game = START, _filled(luck, game)
    for count in range(LONGEST):
        command: c.Command = c.StartGame("p0")
        if count:
            command, now = _next(luck, game, Millis(now + luck.choice((0, 1, 40, 2000))), clock=clock)
        try:
            after, events = act(game, command, Context(now, chance))
        except Refusal:
            continue
        yield Step(game, command, events, after, now)
        game = after
        if game.is_over:
            return


def _filled(luck: random.Random, game: Game) -> Game:
    for seat in range(len(game.seats)):
        join = c.JoinSeat(f"p{seat}", f"name {seat}", "human", seat, accept_bots=True)
        others = (
            c.JoinSeat(f"p{seat}", f"bot {seat}", "bot", seat, "ab", accept_bots=True),
            c.SeatBot("p0", seat, "random"),
        )
        command: c.Command = join if seat == 0 or luck.random() < 0.6 else luck.choice(others)
        game, _ = act(game, command, Context(START, FAIR))
    return game


def _next(luck: random.Random, game: Game, now: Millis, *, clock: bool) -> tuple[c.Command, Millis]:
    """Something that may happen now, perhaps only once the time is up."""
    owed, fate = open_decisions(game), luck.random()
    deadline = next_deadline(game) if clock else None
    if fate < 0.06 or (game.status == "paused" and deadline is None and not owed):
        return _said(luck, game), now
    if deadline is not None and (fate < 0.1 or not owed):
        return c.Expire(), max(now, deadline)
    if not owed or fate > 0.9:
        return c.Advance(), now
    return _answered(luck, game, luck.choice(owed), clock=clock), now


def _said(luck: random.Random, game: Game) -> c.Command:
    """What some player may say beside the play."""
    player = player_of(game, luck.randrange(len(game.seats)))
    kinds: list[VoteKind] = [kind for kind in get_args(VoteKind) if kind != "abandon" or luck.random() < 0.2]
    kind = "resume" if game.status == "paused" and luck.random() < 0.5 else luck.choice(kinds)
    target = luck.randrange(len(game.seats)) if kind == "replace" else None
    said: list[c.Command] = [c.OpenVote(player, kind, target), c.GoAway(player), c.Return(player)]
    return c.Resign(player) if luck.random() < 0.05 else luck.choice(said)


def _answered(luck: random.Random, game: Game, decision: Decision, *, clock: bool) -> c.Command:
    key, holder = decision.key, game.seats[decision.seat]
    if key.kind == "ballot":
        return c.CastBallot(player_of(game, key.seat), key.number, "yes" if luck.random() < 0.8 else "no")
    if clock and holder and holder.controller == "house" and luck.random() < 0.2:
        return c.PlayFor(key)
    if key.kind == "pick" and luck.random() < 0.3:
        plan = tuple(luck.sample(_deck(game), luck.randint(1, 5)))
        return c.PlanPicks(key.seat, key.round, key.number, plan, key.attempt)
    return luck.choice(answers(game, decision))


def _deck(game: Game) -> range:
    low, high = game.rules.deck_range(len(game.seats))
    return range(low, high + 1)
