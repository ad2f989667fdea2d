"""Two games that differ only in what a seat may not know look equal to it: views, decisions, refusals, and the log.

The twin of a game is played with a deck in which two cards that the viewer has not seen have changed places, and with
these two cards changed in every command. Digests are the one thing that differs.
"""

from __future__ import annotations

import json
import random
from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import takewhile
from typing import Any

import pytest
from hypothesis import given, strategies as st

from engine import commands as c, events as e
from engine.cards import Card
from engine.decide import act, decide
from engine.decisions import current_decisions
from engine.errors import Refusal
from engine.game import Game
from engine.log import Envelope, redact
from engine.views import view
from tests.rules.chosen import examples
from tests.rules.table import FAIR, START, Stacked, Step, context, logged, played, seated, steps

Show = Callable[[Game, list[Envelope], int | None], Any]
"""Something that is served: what a seat, or the public, gets of a game and its log, as JSON values."""


@dataclass(frozen=True)
class Twins:
    """A game in its first round and its twin, as far as they were played."""

    viewer: int | None
    games: tuple[Game, Game]
    logs: tuple[list[Envelope], list[Envelope]]
    swapped: tuple[Card, Card]

    def differ(self, show: Show) -> bool:
        """Whether the viewer could tell the twins apart by what is shown."""
        first, second = (
            json.dumps(show(game, log, self.viewer)) for game, log in zip(self.games, self.logs, strict=True)
        )
        return first != second


def opening(chance: Stacked, options: dict[str, Any]) -> Step:
    """The start of a game of three."""
    ready = seated(3, **options)
    game, events = act(ready, c.StartGame("p0"), context(chance))
    return Step(ready, c.StartGame("p0"), events, game, START)


def twins(seed: int, viewer: int | None, length: int, **options: Any) -> Twins:
    """A game of three of which so many steps were played by chance, and its twin."""
    pick = random.Random(seed)
    chance = Stacked(tuple(pick.sample(range(1, 105), 104)))
    first = [opening(chance, options)]
    for step, _ in zip(steps(first[0].after, pick.choice, chance), range(length), strict=False):
        if any(isinstance(event, e.RoundScored) for event in step.events):
            break
        first.append(step)
    unseen = hidden(first, viewer)
    face_down = unseen & {laid.card for laid in first[-1].after.laid if laid}
    one = pick.choice(sorted(face_down or unseen, key=int))
    other = pick.choice(sorted(unseen - {one}, key=int))
    second = list(replayed(first, chance, {one: other, other: one}, options))
    return Twins(
        viewer,
        (first[-1].after, second[-1].after),
        (logged(first, chance), logged(second, chance)),
        (one, other),
    )


def hidden(done: list[Step], viewer: int | None) -> set[Card]:
    """The cards of the round that the viewer has not seen."""
    seen: set[Card] = set() if viewer is None else set(done[0].after.hands[viewer])
    for step in done:
        for event in step.events:
            match event:
                case e.RoundDealt():
                    seen |= {card for row in event.rows for card in row}
                case e.TurnRevealed():
                    seen |= {play.card for play in event.plays}
                case _:
                    pass
    return {card for card in range(1, 105) if card not in seen}


def replayed(
    done: list[Step], chance: Stacked, swap: dict[Card, Card], options: dict[str, Any]
) -> Iterator[Step]:
    """The same steps, with two cards swapped in the deck and in whatever was laid."""
    other = Stacked(tuple(swap.get(card, card) for card in chance.cards))
    step = opening(other, options)
    yield step
    for model in done[1:]:
        command = model.command
        if isinstance(command, c.LayCard):
            command = replace(command, card=swap.get(command.card, command.card))
        game, events = act(step.after, command, context(other, (model.at - START) / 1000))
        step = Step(step.after, command, events, game, model.at)
        yield step


def shown_view(game: Game, log: list[Envelope], viewer: int | None) -> Any:
    """The view."""
    return view(game, viewer, "")


def shown_decisions(game: Game, log: list[Envelope], viewer: int | None) -> Any:
    """What the viewer is asked, and who else is asked what is public."""
    asked = current_decisions(game)
    own = [repr(decision) for decision in asked if decision.seat == viewer]
    return own + [
        [str(decision.key), decision.opened_at, decision.deadline, decision.rows] for decision in asked
    ]


def shown_log(game: Game, log: list[Envelope], viewer: int | None) -> Any:
    """The log as the viewer may read it, without digests."""
    return [
        envelope | {"sealed": sorted(envelope["sealed"]), "prev": "", "hash": ""}
        for envelope in redact(log, viewer)
    ]


def shown_refusals(game: Game, log: list[Envelope], viewer: int | None) -> Any:
    """What the viewer is told about everything it may try, and what the service would answer in its place."""
    told: list[Any] = []
    for command in tries(game, viewer):
        try:
            caused = decide(game, command, context(seconds=10**6))
        except Refusal as refusal:
            told.append([refusal.code, refusal.detail, refusal.legal, refusal.pointers])
        else:
            # What follows a reveal may differ: by then the hidden cards lie open.
            hidden = takewhile(lambda event: not isinstance(event, e.TurnRevealed), caused)
            told.append([repr(event) for event in hidden if viewer is not None and event.by.seat == viewer])
    return told


def tries(game: Game, viewer: int | None) -> Iterator[c.Command]:
    """Everything a viewer may ask of a game that is played."""
    yield c.Expire()
    yield c.StartGame("p0")
    for seat in () if viewer is None else (viewer,):
        for card in range(1, 106):
            yield c.LayCard(seat, game.round, game.turn, card)
        for row in range(5):
            yield c.ChooseRow(seat, game.round, game.turn, row)


SHOWN: tuple[Show, ...] = (shown_view, shown_decisions, shown_log, shown_refusals)

tables = st.fixed_dictionaries(
    {
        "recommit": st.booleans(),
        "auto_last_card": st.booleans(),
        "reveal": st.sampled_from(("round", "game")),
        "pace": st.sampled_from(("untimed", "live")),
    }
)


@examples(60)
@given(st.integers(0, 2**32), st.sampled_from((None, 0, 1, 2)), st.integers(0, 70), tables)
def test_the_viewer_cannot_tell_the_twins_apart(
    seed: int, viewer: int | None, length: int, options: dict[str, Any]
) -> None:
    pair = twins(seed, viewer, length, **options)
    assert pair.swapped[0] != pair.swapped[1]
    for show in SHOWN:
        assert not pair.differ(show), show.__doc__


def other_hands(game: Game, log: list[Envelope], viewer: int | None) -> Any:
    """A view with every hand in it."""
    return view(game, viewer, "") | {"hands": game.hands}


def laid_cards(game: Game, log: list[Envelope], viewer: int | None) -> Any:
    """A view with the laid cards in it."""
    return view(game, viewer, "") | {"laid": [laid and laid.card for laid in game.laid]}


def placing_order(game: Game, log: list[Envelope], viewer: int | None) -> Any:
    """A view that lists who has laid in the order of the cards."""
    return [seat for _, seat in sorted((laid.card, seat) for seat, laid in enumerate(game.laid) if laid)]


def open_log(game: Game, log: list[Envelope], viewer: int | None) -> Any:
    """A log with every part open."""
    return [envelope["open"] for envelope in log]


def somebody_s_log(game: Game, log: list[Envelope], viewer: int | None) -> Any:
    """The log of another seat."""
    return shown_log(game, log, 1 if viewer != 1 else 2)


@pytest.mark.parametrize("leak", [other_hands, laid_cards, placing_order, open_log, somebody_s_log])
@pytest.mark.parametrize("viewer", [None, 0])
def test_a_planted_leak_is_caught(leak: Show, viewer: int | None) -> None:
    assert any(twins(seed, viewer, seed % 20).differ(leak) for seed in range(60))


def test_a_table_that_reveals_after_the_game_shows_the_public_no_hand_before() -> None:
    done = played(1, 3, end={"rounds": 2}, reveal="game")
    envelopes = logged(done)
    before_the_end = json.dumps(redact(envelopes[:-1], None))
    assert '"hand"' not in before_the_end
    assert FAIR.round_seed(1, 0).hex() not in before_the_end
    assert '"hand"' in json.dumps(redact(envelopes, None))
