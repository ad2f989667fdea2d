"""Every code that a refusal may carry has a case in which the rules give it, and changes nothing."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any, Final

import pytest

from engine import commands as c
from engine.agreements import MOST_VOTES
from engine.cards import Card
from engine.decide import create, decide
from engine.errors import CODES, Refusal
from engine.evolve import created
from engine.game import Game
from engine.resolve import resolve
from engine.rows import chosen_mode
from engine.rulesets import RULESETS
from engine.simulate import simulate
from tests.rules.table import START, after, context, laid, lay, lobby, seated, stacked, started

LOW = stacked([(1, 60, *range(61, 69)), (50, 70, *range(71, 79))], (20, 30, 40, 45))


def playing(seat: int, card: Card) -> tuple[Game, c.Command]:
    """A started game, and a card laid in its first turn."""
    game = started()
    return game, lay(game, seat, card)


def once_laid(card: int) -> tuple[Game, c.Command]:
    """A game in which seat 0 has laid its first card, and wants to lay another of its hand."""
    game = started()
    return after(game, lay(game, 0, game.hands[0][0])), lay(game, 0, game.hands[0][card])


def asked_for_a_row(command: c.Command) -> tuple[Game, c.Command]:
    """A game that waits for seat 0 to choose a row."""
    return laid(started(chance=LOW), 1, 50, chance=LOW), command


def drafting(command: c.Command) -> tuple[Game, c.Command]:
    """A draft of two, seat 0 first, from the cards 1 to 24."""
    return started(ruleset="pro"), command


def voting(*commands: c.Command, **options: Any) -> tuple[Game, c.Command]:
    """A game of three people after all but the last of these commands, and that one."""
    return after(started(3, **options), *commands[:-1]), commands[-1]


def a_rematch() -> Game:
    """A table whose seats are kept for p1 and p0, which p0 has opened."""
    first = create(c.CreateGame("g_test", "p0", resolve({"seats": 2}), "g_past", ("p1", "p0")), context())
    return created("g_test", first, START)


PAUSED: Final = (
    c.OpenVote("p0", "pause"),
    c.CastBallot("p1", 1, "yes"),
    c.CastBallot("p2", 1, "yes"),
)

DECIDED: dict[str, tuple[Game, c.Command]] = {
    "already_answered": once_laid(1),
    "already_seated": (seated(), c.JoinSeat("p0", "n", "human")),
    "bot_level_unknown": (lobby(), c.SeatBot("p0", 0, "genius")),
    "bots_not_accepted": (after(lobby(), c.SeatBot("p0", 0, "random")), c.JoinSeat("p1", "n", "human")),
    "card_not_in_draft": drafting(c.Pick(0, 1, 1, 25)),
    "card_not_in_hand": playing(0, 104),
    "client_seed_invalid": (lobby(), c.JoinSeat("p0", "n", "human", client_seed="not hexadecimal")),
    "decision_closed": asked_for_a_row(c.LayCard(1, 1, 1, 70)),
    "decision_not_open": asked_for_a_row(c.LayCard(0, 1, 2, 60)),
    "game_full": (seated(), c.JoinSeat("p9", "n", "human")),
    "game_not_playing": (seated(), c.LayCard(0, 1, 1, 5)),
    "game_paused": voting(*PAUSED, c.LayCard(0, 1, 1, 5)),
    "game_over": (after(lobby(), c.CloseLobby("p0")), c.LeaveSeat("p0")),
    "game_started": (started(), c.LeaveSeat("p0")),
    "if_low_not_allowed": (
        started(),
        replace(lay(started(), 0, started().hands[0][0]), if_low="fewest_bullheads"),
    ),
    "no_row_choice": asked_for_a_row(c.ChooseRow(1, 1, 1, 0)),
    "not_a_voter": voting(c.OpenVote("p0", "replace", 2), c.CastBallot("p2", 1, "yes")),
    "not_enough_players": (lobby(), c.StartGame("p0")),
    "not_host": (seated(), c.StartGame("p1")),
    "not_seated": (lobby(), c.LeaveSeat("p0")),
    "not_your_pick": drafting(c.Pick(1, 1, 2, 5)),
    "row_out_of_range": asked_for_a_row(c.ChooseRow(0, 1, 1, 4)),
    "seat_kept": (a_rematch(), c.JoinSeat("p0", "n", "human", 0)),
    "seat_out_of_range": (lobby(), c.SeatBot("p0", 2, "random")),
    "seat_taken": (seated(), c.SeatBot("p0", 0, "random")),
    "too_many_votes": (replace(started(), votes=MOST_VOTES), c.OpenVote("p0", "pause")),
    "vote_not_possible": voting(c.OpenVote("p0", "resume")),
    "vote_open": voting(c.OpenVote("p0", "pause"), c.OpenVote("p1", "redeal")),
    "vote_too_soon": voting(
        c.OpenVote("p0", "pause"), c.CastBallot("p1", 1, "no"), c.OpenVote("p2", "redeal")
    ),
    "votes_off": voting(c.OpenVote("p0", "pause"), votes=False),
}
"""A game and a command by the code with which the game refuses it."""

OTHER: dict[str, Callable[[], object]] = {
    "bad_options": lambda: resolve({"seats": 99}),
    "mode_not_legal": lambda: chosen_mode(((9,), (8,), (7,), (6,)), 5, 5, 0, "append"),
    "position_impossible": lambda: simulate(RULESETS["classic"], [], [], []),
    "ruleset_unknown": lambda: resolve({"ruleset": "chess", "seats": 2}),
}
"""What is refused outside of a game, by the code."""


@pytest.mark.parametrize("code", DECIDED)
def test_the_game_refuses_with_the_code_and_stays_as_it_was(code: str) -> None:
    game, command = DECIDED[code]
    before = repr(game)
    with pytest.raises(Refusal) as refused:
        decide(game, command, context(LOW))
    assert refused.value.code == code
    assert repr(game) == before


@pytest.mark.parametrize("code", OTHER)
def test_what_is_asked_outside_of_a_game_is_refused_with_the_code(code: str) -> None:
    with pytest.raises(Refusal) as refused:
        OTHER[code]()
    assert refused.value.code == code


def test_every_code_there_is_is_given_here() -> None:
    assert DECIDED.keys() | OTHER.keys() == CODES.keys()


def test_a_refusal_speaks_even_when_it_says_no_more_than_its_code() -> None:
    assert Refusal("game_full").detail == CODES["game_full"]
    assert str(Refusal("game_full", "No room.")) == "game_full: No room."
