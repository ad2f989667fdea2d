"""Row choices in advance: with the card, or by what the table agreed on for all."""

from __future__ import annotations

from typing import Any

import pytest

from engine import commands as c, events as e
from engine.decide import act, decide
from engine.game import Game
from engine.players import By
from engine.views import view
from tests.rules.table import after, context, lay, refused, stacked, started

LOW = stacked([(1, 60, *range(61, 69)), (50, 70, *range(71, 79))], (20, 30, 40, 45))


def table(**options: Any) -> Game:
    """A table at which rows may be chosen ahead."""
    return started(chance=LOW, **{"row_policy": "ahead", **options})


def ahead(card: int) -> c.LayCard:
    """Seat 0 lays a card, and says what is to happen should it be low."""
    return c.LayCard(0, 1, 1, card, if_low="fewest_bullheads")


def revealed(game: Game, *commands: c.Command) -> tuple[Game, list[e.RowChosen | e.RowRequested]]:
    """The game after these commands and what is due then, and what was asked and chosen."""
    game, events = act(after(game, *commands, chance=LOW), c.Advance(), context(LOW))
    return game, [event for event in events if isinstance(event, e.RowChosen | e.RowRequested)]


def test_a_low_card_takes_the_cheapest_row_without_anybody_waiting() -> None:
    game, (asked, chosen) = revealed(table(), ahead(1), lay(table(), 1, 50))
    assert isinstance(asked, e.RowRequested)
    assert chosen == e.RowChosen(0, 3, "take", By("player", 0))
    assert (game.turn, game.rows) == (2, ((20,), (30,), (40, 50), (1,)))


def test_who_said_nothing_is_asked() -> None:
    game, (asked,) = revealed(table(), lay(table(), 0, 1), lay(table(), 1, 50))
    assert isinstance(asked, e.RowRequested)
    assert game.phase == "choose_row"


def test_a_card_that_fits_is_placed_as_ever() -> None:
    game, chosen = revealed(table(), ahead(60), lay(table(), 1, 50))
    assert (game.turn, chosen) == (2, [])


def test_what_was_said_ahead_is_seen_by_its_seat_alone_until_the_reveal() -> None:
    game = after(table(), ahead(1), chance=LOW)
    assert [view(game, seat, "")["if_low"] for seat in (None, 0, 1)] == [None, "fewest_bullheads", None]
    (event,) = decide(after(game, lay(game, 1, 50), chance=LOW), c.Advance(), context(LOW))[:1]
    assert isinstance(event, e.TurnRevealed)
    assert [opening.data for opening in event.openings] == [
        e.CardAheadPart(1, "fewest_bullheads"),
        e.CardPart(50),
    ]


def test_card_and_choice_are_one_answer() -> None:
    game = after(table(), ahead(1), chance=LOW)
    assert decide(game, ahead(1), context(LOW)) == ()
    assert refused(game, lay(game, 0, 1), LOW).code == "already_answered"
    free = after(table(recommit=True), ahead(1), lay(table(), 0, 1), chance=LOW)
    assert free.laid[0] is not None
    assert (free.laid[0].card, free.laid[0].if_low) == (1, None)


@pytest.mark.parametrize("policy", ["ask", "fewest_bullheads"])
def test_only_a_table_that_agreed_to_it_takes_choices_ahead(policy: str) -> None:
    refusal = refused(table(row_policy=policy), ahead(1), LOW)
    assert (refusal.code, refusal.pointers) == ("if_low_not_allowed", ("/if_low",))


def test_a_table_may_agree_on_the_cheapest_row_for_all() -> None:
    game = table(row_policy="fewest_bullheads")
    game, (_, chosen) = revealed(game, lay(game, 0, 1), lay(game, 1, 50))
    assert chosen == e.RowChosen(0, 3, "take", By("policy", 0))
    assert game.turn == 2


def test_a_joker_is_never_chosen_for_ahead() -> None:
    chance = stacked([("J1", 1, *range(60, 69)), ("J2", 50, *range(70, 79))], (20, 30, 40, 45))
    game = started(chance=chance, ruleset="jokers", row_policy="ahead")
    refusal = refused(game, c.LayCard(0, 1, 1, "J1", if_low="fewest_bullheads"), chance)
    assert (refusal.code, refusal.pointers) == ("if_low_not_allowed", ("/if_low",))
    cheapest = started(chance=chance, ruleset="jokers", row_policy="fewest_bullheads")
    cheapest = after(cheapest, lay(cheapest, 0, "J1"), lay(cheapest, 1, 50), c.Advance(), chance=chance)
    assert (cheapest.phase, cheapest.request and cheapest.request.why) == ("choose_row", "joker")


def test_who_is_played_for_says_nothing_ahead() -> None:
    game = table(pace="blitz", away_after_timeouts=None, on_timeout="lowest_card")
    game, events = act(game, c.Expire(), context(LOW, 15))
    assert all(event.if_low is None for event in events if isinstance(event, e.CardLaid))
    assert game.phase == "choose_row"
