"""Games and their twins, which differ only in what one viewer may not know."""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field, replace
from itertools import islice
from typing import Any, Literal, get_args

from engine import commands as c, events as e
from engine.cards import JOKERS, Card, is_joker
from engine.chance import Context
from engine.decide import act
from engine.game import Game
from engine.log import Envelope
from tests.rules.lively import happenings
from tests.rules.table import FAIR, Step, lobby, logged

Show = Callable[[Game, list[Envelope], int | None], Any]
"""Something that is served: what a seat, or the public, gets of a game and its log, as JSON values."""

Secret = Literal["deal", "card", "if_low", "plan"]
"""In what twins may differ."""

Place = tuple[int, int]
"""A round and its attempt."""


@dataclass(frozen=True)
class Dealt:
    """Chance that deals other cards in each round and attempt; in one of them, cards are swapped."""

    seed: int
    at: Place = (0, 0)
    swap: dict[Card, Card] = field(default_factory=dict)
    master: bytes = FAIR.master

    def deck(
        self, game: str, number: int, attempt: int, client_seeds: tuple[str, ...], high: int
    ) -> tuple[Card, ...]:
        """The number cards of the round, shuffled, and then swapped if that is the one."""
        return self._shuffled(range(1, high + 1), number, attempt)

    def jokers(self, game: str, number: int, attempt: int, client_seeds: tuple[str, ...]) -> tuple[Card, ...]:
        """The Jokers of the round in the same way."""
        return self._shuffled(JOKERS, number, attempt)

    def round_seed(self, number: int, attempt: int) -> bytes:
        """The fair seed, which has nothing to do with the cards."""
        return FAIR.round_seed(number, attempt)

    def salt(self, seq: int, part: str) -> str:
        """The fair salt."""
        return FAIR.salt(seq, part)

    def _shuffled(self, cards: Any, number: int, attempt: int) -> tuple[Card, ...]:
        order = random.Random(f"{self.seed} {number} {attempt}").sample(cards, len(cards))
        return tuple(self.swap.get(card, card) if self.at == (number, attempt) else card for card in order)


@dataclass(frozen=True)
class Twins:
    """A game and its twin, as far as they were played, and in what they differ."""

    viewer: int | None
    secret: Secret
    games: tuple[Game, Game]
    logs: tuple[list[Envelope], list[Envelope]]

    def differ(self, show: Show) -> bool:
        """Whether the viewer could tell the twins apart by what is shown."""
        first, second = (
            json.dumps(show(game, log, self.viewer)) for game, log in zip(self.games, self.logs, strict=True)
        )
        return first != second


def twins(seed: int, viewer: int | None, length: int, **options: Any) -> Twins | None:
    """A game of three of which so many steps were played by chance, and its twin; None where nothing is hidden."""
    luck = random.Random(seed)
    chance = Dealt(seed)
    table = lobby(3, **{"ruleset": "classic", **options})
    first = list(islice(happenings(luck, table, chance, clock=False), length + 1))
    while first[-1].after.is_over:
        first.pop()
    secrets: list[Secret] = [*get_args(Secret)]
    luck.shuffle(secrets)
    for secret in secrets:
        for other, changes in different(luck, first, viewer, chance, secret):
            second = list(replayed(first, other, changes))
            return Twins(
                viewer,
                secret,
                (first[-1].after, second[-1].after),
                (logged(first, chance), logged(second, other)),
            )
    return None


def different(
    luck: random.Random, done: list[Step], viewer: int | None, chance: Dealt, secret: Secret
) -> Iterator[tuple[Dealt, dict[int, c.Command]]]:
    """A chance, and other commands by the number of their step, of which the viewer may know nothing."""
    if secret == "deal":
        for place in places(luck, done):
            unseen = hidden(done, viewer, place)
            for kind in (is_joker, lambda card: not is_joker(card)):
                cards = [card for card in unseen if kind(card)]
                held = [card for card in cards if any(card in hand for hand in done[-1].after.hands)]
                if len(cards) > 1:
                    one = luck.choice(held or cards)
                    other = luck.choice([card for card in cards if card != one])
                    swap = {one: other, other: one}
                    yield replace(chance, at=place, swap=swap), swapped(done, place, swap)
        return
    for number, command in face_down(done, viewer):
        match command:
            case c.LayCard() if secret == "card":
                again = {one.card for _, one in face_down(done, viewer) if isinstance(one, c.LayCard)}
                others = [card for card in done[number].before.hands[command.seat] if card not in again]
                if others:
                    if_low = None if is_joker(other := luck.choice(others)) else command.if_low
                    yield chance, {number: replace(command, card=other, if_low=if_low)}
            case c.LayCard(card=int()) if secret == "if_low" and done[0].before.options.row_policy == "ahead":
                yield (
                    chance,
                    {number: replace(command, if_low=None if command.if_low else "fewest_bullheads")},
                )
            case c.PlanPicks() if secret == "plan":
                yield chance, {number: replace(command, plan=(*luck.sample(done[number].before.pool, 2),))}
            case _:
                pass


def places(luck: random.Random, done: list[Step]) -> list[Place]:
    """The rounds and attempts that were begun."""
    begun = {(step.after.round, step.after.attempt) for step in done}
    return luck.sample(sorted(begun), len(begun))


def hidden(done: list[Step], viewer: int | None, place: Place) -> list[Card]:
    """The cards of that round and attempt that the viewer has not seen; none where the seats draft."""
    unseen: set[Card] = set()
    now = (0, 0)
    for step in done:
        for event in step.events:
            match event:
                case e.RoundStarted():
                    now = event.round, event.attempt
                    cards: list[Card] = [*range(event.low, event.high + 1), *JOKERS]
                    unseen |= {*cards} if now == place else set()
                case e.RoundDealt() if now == place:
                    unseen -= {card for row in event.rows for card in row}
                    for seat, hand in enumerate(event.hands):
                        unseen -= {*hand} if seat == viewer or event.table == "open" else set()
                case e.DraftOpened() if now == place:
                    unseen.clear()
                case e.TurnRevealed() if now == place:
                    unseen -= {play.card for play in event.plays}
                case e.RoundRevealed(deck=tuple()) if now == place:
                    unseen.clear()
                case _:
                    pass
    jokers = done[0].before.rules.jokers
    return sorted((card for card in unseen if jokers or not is_joker(card)), key=str)


def swapped(done: list[Step], place: Place, swap: dict[Card, Card]) -> dict[int, c.Command]:
    """The commands that lay the swapped cards, with the other one."""
    return {
        number: replace(step.command, card=swap.get(step.command.card, step.command.card))
        for number, step in enumerate(done)
        if isinstance(step.command, c.LayCard) and (step.command.round, step.command.attempt) == place
    }


def face_down(done: list[Step], viewer: int | None) -> list[tuple[int, c.LayCard | c.PlanPicks]]:
    """What others have laid or planned since the last reveal, the latest first, with the number of the step.

    A plan counts as long as its seat has not picked since.
    """
    found: list[tuple[int, c.LayCard | c.PlanPicks]] = []
    picked: set[int] = set()
    for number, step in reversed([*enumerate(done)]):
        picked |= {event.seat for event in step.events if isinstance(event, e.DraftPicked)}
        if any(isinstance(event, e.TurnRevealed | e.RoundRevealed) for event in step.events):
            break
        command = step.command
        if isinstance(command, c.LayCard | c.PlanPicks) and command.seat != viewer and step.events:
            is_open = step.after.table == "open" or (
                isinstance(command, c.PlanPicks) and command.seat in picked
            )
            found += [] if is_open else [(number, command)]
    return found


def replayed(done: list[Step], chance: Dealt, changes: dict[int, c.Command]) -> Iterator[Step]:
    """The same steps, with another chance and some other commands."""
    game = done[0].before
    for number, model in enumerate(done):
        command = changes.get(number, model.command)
        after, events = act(game, command, Context(model.at, chance))
        yield Step(game, command, events, after, model.at)
        game = after
