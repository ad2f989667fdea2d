"""Tables to play at in the tests of the rules: lobbies, started games, and whole games played by whoever picks."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final

import pytest

from engine import commands as c, events as e
from engine.cards import JOKERS, Card, is_joker
from engine.chance import Chance, Context
from engine.deals import FairShuffle
from engine.decide import act, create
from engine.decisions import BALLOTS, Decision, open_decisions
from engine.errors import Refusal
from engine.evolve import created
from engine.game import Game
from engine.log import NO_HEAD, Envelope, Live, Position, position, seal
from engine.options import IfLow
from engine.resolve import resolve
from engine.times import Millis

START: Final = Millis(1_767_268_800_000)
"""2026-01-01T12:00:00.000Z, when every table here is opened."""

FAIR: Final = FairShuffle(bytes(range(32)))

Pick = Callable[[Sequence[c.Command]], c.Command]


@dataclass(frozen=True)
class Stacked:
    """Chance that deals the same deck in every round; everything else is as it would be with the master secret."""

    cards: tuple[Card, ...]
    joker_cards: tuple[Card, ...] = JOKERS
    master: bytes = FAIR.master

    def deck(
        self, game: str, number: int, attempt: int, client_seeds: tuple[str, ...], high: int
    ) -> tuple[Card, ...]:
        """The deck that was stacked, as far as these cards are in play."""
        return tuple(card for card in self.cards if int(card) <= high)

    def jokers(self, game: str, number: int, attempt: int, client_seeds: tuple[str, ...]) -> tuple[Card, ...]:
        """The Jokers as they were stacked."""
        return self.joker_cards

    def round_seed(self, number: int, attempt: int) -> bytes:
        """The fair seed, which has nothing to do with the cards."""
        return FAIR.round_seed(number, attempt)

    def salt(self, seq: int, part: str) -> str:
        """The fair salt."""
        return FAIR.salt(seq, part)


def stacked(hands: Sequence[Sequence[Card]], rows: Sequence[Card]) -> Stacked:
    """Chance that deals these hands and rows; the other cards are the stock, ascending."""
    held = [card for hand in hands for card in hand]
    dealt: list[Card] = [*(card for card in held if not is_joker(card)), *rows]
    jokers = [card for card in held if is_joker(card)]
    return Stacked(
        (*dealt, *(card for card in range(1, 105) if card not in dealt)),
        (*jokers, *(joker for joker in JOKERS if joker not in jokers)),
    )


def later(seconds: float) -> Millis:
    """The moment so many seconds after the start."""
    return Millis(START + round(1000 * seconds))


def context(chance: Chance = FAIR, seconds: float = 0) -> Context:
    """What the world adds to a decision, so many seconds after the start."""
    return Context(later(seconds), chance)


def lobby(seats: int = 2, **options: Any) -> Game:
    """An empty table that p0 has opened."""
    command = c.CreateGame("g_test", "p0", resolve({"ruleset": "classic", "seats": seats, **options}))
    return created("g_test", create(command, context()), START)


def seated(seats: int = 2, **options: Any) -> Game:
    """A full table of people, p0 the host, whom nobody has told to start."""
    return seat_all(lobby(seats, **options))


def seat_all(game: Game) -> Game:
    """The table with a person on every free seat."""
    for seat, holder in enumerate(game.seats):
        if holder is None:
            join = c.JoinSeat(f"p{seat}", f"name {seat}", "human", seat, accept_bots=True)
            game, _ = act(game, join, context())
    return game


def started(seats: int = 2, chance: Chance = FAIR, **options: Any) -> Game:
    """A full table of people in the first turn of the first round."""
    return start(seated(seats, **options), chance)


def start(game: Game, chance: Chance = FAIR) -> Game:
    """The full table once its host has started the game."""
    return act(game, c.StartGame(game.host), context(chance))[0]


def lay(game: Game, seat: int, card: Card) -> c.LayCard:
    """The command that lays a card in the turn that is played."""
    return c.LayCard(seat, game.round, game.turn, card, game.attempt)


def after(game: Game, *commands: c.Command, chance: Chance = FAIR, seconds: float = 0) -> Game:
    """The game after several commands of one moment."""
    for command in commands:
        game, _ = act(game, command, context(chance, seconds))
    return game


def refused(game: Game, command: c.Command, chance: Chance = FAIR, seconds: float = 0) -> Refusal:
    """The refusal that the command meets; the game stays as it was."""
    before = repr(game)
    with pytest.raises(Refusal) as caught:
        act(game, command, context(chance, seconds))
    assert repr(game) == before
    return caught.value


def laid(game: Game, *cards: Card, chance: Chance = FAIR, seconds: float = 0) -> Game:
    """The game after each seat has laid its card and all that is due then was done."""
    laying = [lay(game, seat, card) for seat, card in enumerate(cards)]
    return after(game, *laying, c.Advance(), chance=chance, seconds=seconds)


def answers(game: Game, decision: Decision) -> list[c.Command]:
    """Every answer that a decision lists as legal; plans aside, of which there are too many."""
    key, seat = decision.key, decision.seat
    place = seat, key.round, key.number
    match key.kind:
        case "card":
            ahead: tuple[IfLow, ...] = ("fewest_bullheads",) if game.options.row_policy == "ahead" else ()
            return [
                c.LayCard(*place, card, key.attempt, if_low)
                for card in decision.cards
                for if_low in (None, *(() if is_joker(card) else ahead))
            ]
        case "row":
            return [
                c.ChooseRow(*place, row, mode, key.attempt)
                for row, modes in enumerate(decision.rows)
                for mode in modes
            ]
        case "pick":
            return [c.Pick(*place, card, key.attempt) for card in decision.cards]
        case "ballot":
            return [c.CastBallot(player_of(game, seat), key.number, choice) for choice in BALLOTS]


def player_of(game: Game, seat: int) -> str:
    """Who holds a seat, or held it; nobody but a house bot is ""."""
    holder = game.seats[seat]
    return (holder and holder.player) or ""


@dataclass(frozen=True)
class Step:
    """One command that was carried out: what it met, what it caused, what it left, at which moment."""

    before: Game
    command: c.Command
    events: tuple[e.Event, ...]
    after: Game
    at: Millis


def steps(game: Game, pick: Pick, chance: Chance = FAIR, seconds: float = 0) -> Iterator[Step]:
    """Play to the end, a second a command: each time one legal answer is picked, then comes what is due."""
    while True:
        owed = [command for decision in open_decisions(game) for command in answers(game, decision)]
        for command in (pick(owed), c.Advance()) if owed else ():
            seconds += 1
            after, events = act(game, command, context(chance, seconds))
            yield Step(game, command, events, after, later(seconds))
            game = after
        if not owed:
            return


def played(seed: int, seats: int = 2, **options: Any) -> list[Step]:
    """A whole game of random answers, from its start."""
    ready = seated(seats, **{"pace": "untimed", **options})
    command = c.StartGame("p0")
    game, events = act(ready, command, context())
    return [Step(ready, command, events, game, START), *steps(game, random.Random(seed).choice)]


def logged(done: Sequence[Step], chance: Chance = FAIR) -> list[Envelope]:
    """The log of a table that was opened, filled by people and played in these steps, all parts open."""
    before = done[0].before
    envelopes = _lobby_log(before, chance)
    live = Live(before, envelopes[-1]["hash"])
    for step in done:
        envelopes += seal(position(live), step.events, step.at, chance)
        live = Live(step.after, envelopes[-1]["hash"])
    return envelopes


def _lobby_log(ready: Game, chance: Chance) -> list[Envelope]:
    first = create(c.CreateGame(ready.id, ready.host, ready.options), context(chance))
    game = created(ready.id, first, START)
    envelopes = seal(Position(ready.id, 0, NO_HEAD), (first,), START, chance)
    for seat, holder in enumerate(ready.taken):
        join: c.Command = c.SeatBot(ready.host, seat, holder.level or "")
        if holder.player is not None:
            who, also = (holder.player, holder.name, holder.kind), (holder.accepts_bots, holder.owner)
            join = c.JoinSeat(*who, seat, holder.client_seed, *also)
        after, events = act(game, join, context(chance))
        envelopes += seal(position(Live(game, envelopes[-1]["hash"])), events, START, chance)
        game = after
    assert game == ready
    return envelopes
