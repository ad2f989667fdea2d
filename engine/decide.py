"""Commands to events: `decide` says what a command causes in a game, or refuses it and changes nothing."""

from __future__ import annotations

from typing import Final

from engine import __version__, commands as c, deals, events as e
from engine.agreements import decide_table
from engine.answers import decide_answer
from engine.automatic import expire, play_for
from engine.chance import Context
from engine.evolve import fold
from engine.game import Game
from engine.lobby import decide_lobby
from engine.players import SYSTEM, By
from engine.stages import settle
from engine.times import Millis

KEPT_MS: Final = 120_000
"""How long the seats of a rematch are kept for those who held them."""


def create(command: c.CreateGame, context: Context) -> e.GameCreated:
    """The first event of a game."""
    commit = deals.seed_commit(context.chance.master)
    kept_until = Millis(context.now + KEPT_MS) if command.kept else None
    return e.GameCreated(
        command.options,
        __version__,
        deals.SHUFFLE,
        commit,
        command.host,
        By("player"),
        command.rematch_of,
        command.kept,
        kept_until,
    )


def decide(game: Game, command: c.Command, context: Context) -> tuple[e.Event, ...]:
    """The events that the command causes now; none when there is nothing (left) to do. Raises `Refusal`."""
    return act(game, command, context)[1]


def act(game: Game, command: c.Command, context: Context) -> tuple[Game, tuple[e.Event, ...]]:
    """The game after the command, and the events that made it so; raises `Refusal`.

    An answer makes its own events alone, so that it is quick; what follows from it comes with the next `Advance`.
    """
    match command:
        case c.LayCard() | c.ChooseRow() | c.Pick() | c.PlanPicks():
            events = decide_answer(game, command, context)
            return fold(game, events, context.now), events
        case c.PlayFor():
            events = play_for(game, command, context)
            return fold(game, events, context.now), events
        case c.Abandon():
            abandoned = e.GameAbandoned("operator", SYSTEM)
            return _advance(game, () if game.is_over else (abandoned,), context)
        case c.Advance():
            return settle(game, context)
        case c.Expire():
            return _advance(game, expire(game, command, context), context)
        case c.GoAway() | c.Return() | c.Resign() | c.OpenVote() | c.CastBallot():
            return _advance(game, decide_table(game, command, context), context)
        case _:
            return _advance(game, decide_lobby(game, command, context), context)


def _advance(game: Game, done: tuple[e.Event, ...], context: Context) -> tuple[Game, tuple[e.Event, ...]]:
    """The game after `done` and all that is due then; unchanged when nothing is done."""
    if not done:
        return game, ()
    after, following = settle(fold(game, done, context.now), context)
    return after, done + following
