"""Two games that differ only in what a seat may not know look equal to it: views, decisions, refusals, log and replay.

The twin of a game is played with a deck in which two cards that the viewer has not seen have changed places, and with
these two cards changed in every command; or with another card, another choice in advance or another plan of somebody
else, as long as that lies face down. Digests are the one thing that differs.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from itertools import takewhile
from typing import Any, Final, get_args

import pytest
from hypothesis import given, strategies as st

from engine import commands as c, events as e
from engine.cards import JOKERS
from engine.chance import Context
from engine.compact import compact, read
from engine.decide import decide
from engine.decisions import BALLOTS, current_decisions, next_pick
from engine.errors import Refusal
from engine.game import Game
from engine.log import Envelope, redact
from engine.replay import frames, rebuild
from engine.rulesets import RULESETS
from engine.table import VoteKind
from engine.views import view
from tests.rules.chosen import tables
from tests.rules.table import FAIR, later, logged, played
from tests.rules.twins import Secret, Show, twins
from tests.searching import examples


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


def shown_replay(game: Game, log: list[Envelope], viewer: int | None) -> Any:
    """The compact replay of what the viewer may read, without its head, and every frame of it."""
    value = compact(redact(log, viewer)) | {"head": ""}
    return [value, list(frames(rebuild(read(value)), "public" if viewer is None else viewer))]


def shown_refusals(game: Game, log: list[Envelope], viewer: int | None) -> Any:
    """What the viewer is told about everything it may try, and what the service would answer in its place."""
    told: list[Any] = []
    for command in tries(game, viewer):
        try:
            caused = decide(game, command, Context(later(10**6), FAIR))
        except Refusal as refusal:
            told.append([refusal.code, refusal.detail, refusal.legal, refusal.pointers])
        else:
            # What follows a reveal may differ: by then the hidden cards lie open.
            unrevealed = takewhile(
                lambda event: not isinstance(event, e.TurnRevealed | e.RoundRevealed), caused
            )
            told.append(
                [repr(event) for event in unrevealed if viewer is not None and event.by.seat == viewer]
            )
    return told


def tries(game: Game, viewer: int | None) -> Iterator[c.Command]:
    """Everything a viewer may ask of a game that is played."""
    yield c.Expire()
    yield c.StartGame("p0")
    player = f"p{viewer}"
    for kind in get_args(VoteKind):
        yield c.OpenVote(player, kind, 1 if kind == "replace" else None)
    for choice in BALLOTS:
        yield c.CastBallot(player, game.votes, choice)
    for wanted in (c.GoAway, c.Return, c.Resign):
        yield wanted(player)
    for seat in () if viewer is None else (viewer,):
        for card in (*range(1, 106), *JOKERS):
            yield c.LayCard(seat, game.round, game.turn, card, game.attempt)
            if game.phase == "draft" and not game.is_drafted:
                yield c.Pick(seat, game.round, next_pick(game, seat), card, game.attempt)
                yield c.PlanPicks(seat, game.round, next_pick(game, seat), (card,), game.attempt)
        for row in range(5):
            yield c.ChooseRow(seat, game.round, game.turn, row, None, game.attempt)


SHOWN: Final[tuple[Show, ...]] = (shown_view, shown_decisions, shown_log, shown_replay, shown_refusals)


@examples(120)
@given(st.integers(0, 2**32), st.sampled_from((None, 0, 1, 2)), st.integers(0, 120), tables())
def test_the_viewer_cannot_tell_the_twins_apart(
    seed: int, viewer: int | None, length: int, options: dict[str, Any]
) -> None:
    pair = twins(seed, viewer, length, **options)
    if pair is not None:
        for show in SHOWN:
            assert not pair.differ(show), (pair.secret, show.__doc__)


@pytest.mark.parametrize("ruleset", RULESETS)
def test_twins_of_every_rule_set_differ_in_every_secret_it_has(ruleset: str) -> None:
    found: set[Secret] = set()
    for seed in range(60):
        pair = twins(seed, seed % 3, 4 + seed, ruleset=ruleset, row_policy="ahead")
        if pair is not None and pair.games[0] != pair.games[1]:
            found.add(pair.secret)
    own: set[Secret] = {"plan"} if ruleset == "pro" else {"deal"}
    assert found == {"card", "if_low"} | own


def test_in_a_learning_round_only_the_stock_is_hidden() -> None:
    for seed in range(20):
        pair = twins(seed, 0, seed, learning_rounds=1, learning_only=True, votes=False)
        assert pair is not None
        assert pair.secret == "deal"
        assert pair.games[0] == pair.games[1]


def other_hands(game: Game, log: list[Envelope], viewer: int | None) -> Any:
    """A view with every hand in it."""
    return view(game, viewer, "") | {"hands": game.hands}


def laid_cards(game: Game, log: list[Envelope], viewer: int | None) -> Any:
    """A view with the laid cards in it."""
    return view(game, viewer, "") | {"laid": [laid and laid.card for laid in game.laid]}


def choices_ahead(game: Game, log: list[Envelope], viewer: int | None) -> Any:
    """A view that tells who has chosen ahead."""
    return view(game, viewer, "") | {"ahead": [laid and laid.if_low for laid in game.laid]}


def plans(game: Game, log: list[Envelope], viewer: int | None) -> Any:
    """A view with every plan in it."""
    return view(game, viewer, "") | {"plans": game.plans}


def placing_order(game: Game, log: list[Envelope], viewer: int | None) -> Any:
    """A view that lists who has laid in the order of the cards."""
    return [seat for _, seat in sorted((str(laid.card), seat) for seat, laid in enumerate(game.laid) if laid)]


def open_log(game: Game, log: list[Envelope], viewer: int | None) -> Any:
    """A log with every part open."""
    return [envelope["open"] for envelope in log]


def somebody_s_log(game: Game, log: list[Envelope], viewer: int | None) -> Any:
    """The log of another seat."""
    return shown_log(game, log, 1 if viewer != 1 else 2)


LEAKS: Final[tuple[Show, ...]] = (
    other_hands,
    laid_cards,
    choices_ahead,
    plans,
    placing_order,
    open_log,
    somebody_s_log,
)


@pytest.mark.parametrize("leak", LEAKS)
@pytest.mark.parametrize("viewer", [None, 0])
def test_a_planted_leak_is_caught(leak: Show, viewer: int | None) -> None:
    options = {"ruleset": "pro" if leak is plans else "classic", "row_policy": "ahead"}
    pairs = (twins(seed, viewer, seed % 20, **options) for seed in range(100))
    assert any(pair.differ(leak) for pair in pairs if pair)


def test_a_table_that_reveals_after_the_game_shows_the_public_no_hand_before() -> None:
    done = played(1, 3, end={"rounds": 2}, reveal="game")
    envelopes = logged(done)
    before_the_end = json.dumps(redact(envelopes[:-1], None))
    assert '"hand"' not in before_the_end
    assert FAIR.round_seed(1, 0).hex() not in before_the_end
    assert '"hand"' in json.dumps(redact(envelopes, None))
