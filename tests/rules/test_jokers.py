"""Jokers: eleven cards and turns, Jokers before numbers, and whoever laid one chooses its row when its moment comes."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

import pytest

from engine import commands as c, events as e
from engine.cards import JOKERS, is_joker
from engine.decide import act, decide
from engine.decisions import open_decisions
from engine.game import Game
from engine.players import By
from engine.rows import Mode
from engine.views import view
from tests.rules.table import (
    after,
    answers,
    context,
    laid,
    later,
    played,
    refused,
    stacked,
    started,
)

THREE = stacked(
    [("J4", 1, *range(61, 70)), ("J3", 50, *range(71, 80)), ("J7", 45, *range(81, 90))], (20, 30, 40, 55)
)


def table(**options: Any) -> Game:
    """Three seats with the Jokers 4, 3 and 7, and a low, a middle and a high hand."""
    return started(3, THREE, ruleset="jokers", **options)


def advanced(game: Game, *commands: c.Command, seconds: float = 0) -> Game:
    """The game after each command and what is due then."""
    for command in commands:
        game = after(game, command, c.Advance(), chance=THREE, seconds=seconds)
    return game


def row(seat: int, number: int, mode: Mode | None = None) -> c.ChooseRow:
    """The choice of a row in the first turn."""
    return c.ChooseRow(seat, 1, 1, number, mode)


def test_each_seat_gets_ten_numbers_and_a_joker_and_rows_start_from_numbers() -> None:
    for seats in (2, 10):
        game = started(seats, ruleset="jokers")
        assert all([is_joker(card) for card in hand].count(True) == 1 for hand in game.hands)
        assert {len(hand) for hand in game.hands} == {11}
        assert not any(is_joker(first[0]) for first in game.rows)
        assert len({hand[0] for hand in game.hands} & {*JOKERS}) == seats


def test_a_round_has_eleven_turns() -> None:
    done = played(3, 3, ruleset="jokers", end={"rounds": 1})
    turns = [event.turn for step in done for event in step.events if isinstance(event, e.TurnOpened)]
    assert turns == list(range(1, 12))


def test_jokers_come_before_numbers_in_the_order_of_their_printed_values() -> None:
    game = laid(table(), "J4", "J3", 45, chance=THREE)
    assert [play.card for play in game.plays] == ["J3", "J4", 45]
    assert [str(decision.key) for decision in open_decisions(game)] == ["r1.t1.s1.row"]
    game = advanced(game, row(1, 0, "append"))
    assert [str(decision.key) for decision in open_decisions(game)] == ["r1.t1.s0.row"]
    game = advanced(game, row(0, 1, "append"))
    assert (game.turn, game.rows) == (2, ((20, "J3"), (30, "J4"), (40, 45), (55,)))


def test_a_joker_takes_a_row_and_starts_it_again() -> None:
    game = advanced(laid(table(), "J4", 71, 81, chance=THREE), row(0, 3, "take"))
    assert game.rows == ((20,), (30,), (40, 71, 81), ("J4",))
    assert (game.piles, game.round_bullheads) == (((55,), (), ()), (7, 0, 0))


def test_a_joker_lies_beside_no_other() -> None:
    game = advanced(laid(table(), "J4", "J3", "J7", chance=THREE), row(1, 0, "append"))
    assert open_decisions(game)[0].rows == (("take",), *(("append", "take"),) * 3)
    refusal = refused(game, row(0, 0, "append"), THREE)
    assert (refusal.code, refusal.pointers) == ("mode_not_legal", ("/mode",))
    game = advanced(game, row(0, 0, "take"))
    assert (game.rows[0], game.piles[0]) == (("J4",), (20, "J3"))
    assert refused(game, row(2, 0, "append"), THREE).code == "mode_not_legal"


def test_a_joker_needs_a_mode() -> None:
    game = laid(table(), "J4", 71, 81, chance=THREE)
    assert refused(game, row(0, 0), THREE).code == "mode_not_legal"


def test_on_a_full_row_append_means_take() -> None:
    chance = stacked([("J4", 1, *range(61, 70)), ("J3", *range(21, 25), *range(71, 77))], (20, 30, 40, 55))
    game = started(2, chance, ruleset="jokers")
    for turn in range(4):
        game = laid(game, 61 + turn, 21 + turn, chance=chance)
    assert game.rows[0] == (20, 21, 22, 23, 24)
    game = laid(game, "J4", 71, chance=chance)
    assert open_decisions(game)[0].rows[0] == ("take",)
    (chosen,) = decide(game, c.ChooseRow(0, 1, 5, 0, "append"), context(chance))
    assert chosen == e.RowChosen(0, 0, "take", By("player", 0))
    game = after(game, c.ChooseRow(0, 1, 5, 0, "append"), chance=chance)
    assert decide(game, c.ChooseRow(0, 1, 5, 0, "append"), context(chance)) == ()
    assert decide(game, c.ChooseRow(0, 1, 5, 0, "take"), context(chance)) == ()
    assert refused(game, c.ChooseRow(0, 1, 5, 1, "append"), chance).code == "already_answered"
    game = after(game, c.Advance(), chance=chance)
    assert (game.rows[0], game.piles[0]) == (("J4",), (20, 21, 22, 23, 24))


def test_no_number_is_low_while_a_joker_lies_alone() -> None:
    game = advanced(laid(table(), 1, "J3", 45, chance=THREE), row(1, 3, "take"))
    assert (game.turn, game.rows) == (2, ((20,), (30,), (40, 45), ("J3", 1)))


def test_a_turn_asks_for_each_joker_and_once_for_the_lowest_number() -> None:
    chance = stacked(
        [("J4", 1, *range(61, 70)), ("J3", 50, *range(71, 80)), ("J7", 2, *range(81, 90))], (20, 30, 40, 55)
    )
    game = laid(started(3, chance, ruleset="jokers"), "J4", "J3", 2, chance=chance)
    asked = []
    while game.phase == "choose_row":
        (decision,) = open_decisions(game)
        assert game.request is not None
        asked.append((game.request.card, game.request.why))
        mode = decision.rows[len(asked) - 1][0]
        game = after(game, c.ChooseRow(decision.seat, 1, 1, len(asked) - 1, mode), c.Advance(), chance=chance)
    assert asked == [("J3", "joker"), ("J4", "joker"), (2, "too_low")]
    assert game.rows == ((20, "J3"), (30, "J4"), (2,), (55,))


def test_an_end_with_a_joker_counts_in_tenths() -> None:
    game = advanced(laid(table(), "J4", 50, 45, chance=THREE), row(0, 2, "append"))
    assert game.rows == ((20,), (30,), (40, "J4", 45, 50), (55,))
    assert [shown["end_tenths"] for shown in view(game, None, "")["rows"]] == [200, 300, 500, 550]


def test_who_is_late_with_a_joker_appends_it_to_the_cheapest_row() -> None:
    game = laid(table(pace="blitz"), "J4", 71, 81, chance=THREE)
    expired, events = act(game, c.Expire(), context(THREE, 10))
    assert events[0] == e.RowChosen(0, 0, "append", By("timeout", 0))
    assert expired.rows[0] == (20, "J4")
    assert game.request is not None
    assert game.request.deadline == later(10)


def test_a_joker_is_worth_one() -> None:
    game = advanced(laid(table(), "J4", "J3", 81, chance=THREE), row(1, 0, "append"), row(0, 0, "take"))
    assert game.round_bullheads == (4, 0, 0)


@pytest.mark.parametrize("auto", [True, False])
def test_a_last_card_that_is_a_joker_still_asks(auto: bool) -> None:
    game = table(auto_last_card=auto)
    for turn in range(10):
        game = laid(game, *(hand[-1] for hand in game.hands), chance=THREE)
        while game.phase == "choose_row" and game.turn == turn + 1:
            game = advanced(game, answers(game, open_decisions(game)[0])[0])
    if not auto:
        game = laid(game, "J4", "J3", "J7", chance=THREE)
    assert game.request is not None
    assert (game.request.card, game.turn) == ("J3", 11)


def test_jokers_never_touch_in_any_game() -> None:
    for seed in range(10):
        for step in played(seed, 5, ruleset="jokers", end={"rounds": 1}):
            for cards in step.after.rows:
                assert not any(is_joker(left) and is_joker(right) for left, right in pairwise(cards))
