"""Little games for the examples of the document: played by the engine itself, so that they cannot drift from the truth."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any, Final, NamedTuple

from engine.chance import Context
from engine.commands import (
    Advance,
    ChooseRow,
    Command,
    CreateGame,
    JoinSeat,
    LayCard,
    Pick,
    SeatBot,
    StartGame,
)
from engine.deals import FairShuffle
from engine.decide import act, create
from engine.decisions import Decision, open_decisions
from engine.evolve import created
from engine.log import Envelope, Live, Position, position, seal
from engine.resolve import resolve
from engine.times import Millis
from service.schemas.players import PLAYER_EXAMPLE

GAME: Final = "g_5rwm3xk2nq7tz4yvb6cdha2eui"
NEXT_GAME: Final = "g_h3vd5xk7nq2tz4mwb6cyra2peu"
ADA: Final = str(PLAYER_EXAMPLE["id"])
BOB: Final = "p_r3kq6vcn5tqzm2whd7yb4x2cae"
CAT: Final = "p_x2cdq7vn4tkzm5whr6yb3a2ceu"
_NOW: Final = Millis(1_767_268_800_000)
_CHANCE: Final = FairShuffle(bytes(range(32)))


class Played(NamedTuple):
    """A game as it stands, and its log so far."""

    live: Live
    log: tuple[Envelope, ...]

    @property
    def last(self) -> Envelope:
        """The newest event."""
        return self.log[-1]

    def first(self, kind: str) -> Envelope:
        """Return the first event of a type."""
        return next(envelope for envelope in self.log if envelope["type"] == kind)


def created_as(wanted: CreateGame) -> Played:
    """Return a table that has just been opened; nobody sits at it."""
    context = Context(_NOW, _CHANCE)
    first = create(wanted, context)
    log = seal(Position(wanted.game), [first], context.now, context.chance)
    return Played(Live(created(wanted.game, first, context.now), log[-1]["hash"]), tuple(log))


def opened(options: Mapping[str, Any]) -> Played:
    """Return a table that Ada has just opened; nobody sits at it."""
    return created_as(CreateGame(GAME, ADA, resolve(options)))


def after(played: Played, *commands: Command) -> Played:
    """Return the game after these commands, all given at one moment."""
    for command in commands:
        live, context = played.live, Context(_NOW, _CHANCE)
        game, events = act(live.game, command, context)
        new = seal(position(live), events, context.now, context.chance)
        played = Played(Live(game, new[-1]["hash"] if new else live.head), (*played.log, *new))
    return played


def with_bot(options: Mapping[str, Any]) -> Played:
    """Return a table of Ada and a house bot that has just started."""
    return after(opened(options), JoinSeat(ADA, "Ada", "human"), SeatBot(ADA, 1, "random"), StartGame(ADA))


def with_people(options: Mapping[str, Any]) -> Played:
    """Return a table of Ada, Bob and perhaps Cat that has just started."""
    people = ((ADA, "Ada"), (BOB, "Bob"), (CAT, "Cat"))[: options["seats"]]
    joined = after(opened(options), *(JoinSeat(player, name, "human") for player, name in people))
    return after(joined, StartGame(ADA))


def one_turn(played: Played) -> Played:
    """Return the game after one more turn: each seat gives the first answer that is legal."""
    turn = played.live.game.turn
    while played.live.game.turn == turn and played.live.game.is_running:
        for decision in open_decisions(played.live.game):
            played = after(played, _first_answer(decision))
        played = after(played, Advance())
    return played


def played_out(played: Played) -> Played:
    """Return the game at its end, played in the same way."""
    while played.live.game.is_running:
        played = one_turn(played)
    return played


def _first_answer(decision: Decision) -> Command:
    key = decision.key
    moment = key.seat, key.round, key.number
    if key.kind == "card":
        return LayCard(*moment, decision.cards[0])
    if key.kind == "pick":
        return Pick(*moment, decision.cards[0])
    return ChooseRow(*moment, 0, decision.rows[0][-1])
