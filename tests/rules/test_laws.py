"""What holds after every single event of every game, whoever plays it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator

import pytest
from hypothesis import given

from engine import commands as c, events as e
from engine.automatic import next_deadline
from engine.cards import Card
from engine.decide import act, create, decide
from engine.decisions import open_decisions
from engine.evolve import evolve, fold
from engine.game import Game
from engine.options import RoundsEnd
from engine.outcome import is_over
from engine.rows import end_tenths
from engine.stages import due
from tests.rules.chosen import examples, games
from tests.rules.table import FAIR, START, Step, context, lobby, started


def moments(done: list[Step]) -> Iterator[tuple[e.Event, Game]]:
    """Every event of the steps, each with the game right after it."""
    for step in done:
        game = step.before
        for event in step.events:
            game = evolve(game, event, step.at)
            yield event, game
        assert game == step.after


def stock(game: Game) -> tuple[Card, ...]:
    """The cards that were never dealt in this round."""
    deck = FAIR.deck(game.id, game.round, game.attempt, ("",) * len(game.seats), 104)
    return deck[game.rules.hand_size * len(game.seats) + game.rules.rows :]


@examples(25)
@given(games())
def test_every_card_is_in_exactly_one_place(done: list[Step]) -> None:
    dealt = False
    for event, game in moments(done):
        dealt = isinstance(event, e.RoundDealt) or (dealt and not isinstance(event, e.RoundStarted))
        if not dealt:
            continue
        places: tuple[tuple[Card, ...], ...] = (
            *game.hands,
            *game.piles,
            *game.rows,
            tuple(play.card for play in game.queue),
            stock(game),
        )
        assert Counter(card for place in places for card in place) == Counter(range(1, 105))
        for seat, laid in enumerate(game.laid):
            assert laid is None or game.phase != "lay_card" or laid.card in game.hands[seat]


@examples(25)
@given(games())
def test_rows_never_end_equal_nor_outgrow_their_limit(done: list[Step]) -> None:
    for _, game in moments(done):
        assert len({end_tenths(row) for row in game.rows}) == len(game.rows)
        assert all(1 <= len(row) <= 5 and list(row) == sorted(row) for row in game.rows)


@examples(25)
@given(games())
def test_at_most_one_row_is_chosen_a_turn_and_for_its_lowest_card(done: list[Step]) -> None:
    asked = Counter[tuple[int, int]]()
    for event, game in moments(done):
        if isinstance(event, e.RowRequested):
            asked[game.round, game.turn] += 1
            assert event.card == min(play.card for play in game.plays) == game.queue[0].card
            assert (event.seat, event.why) == (game.queue[0].seat, "too_low")
    assert not asked or max(asked.values()) == 1


@examples(25)
@given(games())
def test_captures_hold_no_card_that_was_just_laid_and_cost_at_most_27(done: list[Step]) -> None:
    for event, _ in moments(done):
        if isinstance(event, e.CardPlaced):
            assert event.card not in event.captured
            assert len(event.captured) <= 5
            assert event.bullheads <= 27
            assert (event.why == "sixth") <= (len(event.captured) == 5)


@examples(25)
@given(games())
def test_points_are_counted_from_the_piles_and_only_after_a_round(done: list[Step]) -> None:
    totals = [0] * len(done[0].before.seats)
    for event, game in moments(done):
        if isinstance(event, e.RoundScored):
            for seat, pile in enumerate(event.piles):
                gained = sum(card_price(card) for card in pile)
                assert event.round_bullheads[seat] == gained
                totals[seat] += gained
            assert not any(game.hands)
        assert game.totals == tuple(totals)
    last = done[-1].after
    assert last.status == "finished"
    assert is_over(last.options.end, totals, last.round)
    assert {place.seat for place in last.standings if place.winner} == {
        seat for seat, total in enumerate(totals) if total == min(totals)
    }


def card_price(card: Card) -> int:
    """Bullheads as the booklets say them."""
    number = int(card)
    if number == 55:
        return 7
    return 5 if number % 11 == 0 else 3 if number % 10 == 0 else 2 if number % 5 == 0 else 1


@examples(25)
@given(games())
def test_a_game_ends_as_soon_as_its_condition_holds(done: list[Step]) -> None:
    totals: list[tuple[int, ...]] = [
        event.total_bullheads for event, _ in moments(done) if isinstance(event, e.RoundScored)
    ]
    end = done[0].before.options.end
    assert [is_over(end, total, number) for number, total in enumerate(totals, 1)] == [
        number == len(totals) for number in range(1, len(totals) + 1)
    ]
    assert not isinstance(end, RoundsEnd) or len(totals) == end.rounds


@examples(10)
@given(games(max_seats=4))
def test_doing_what_is_due_twice_does_nothing(done: list[Step]) -> None:
    for step in done:
        moment = context(seconds=(step.at - START) / 1000)
        if isinstance(step.command, c.Advance):
            assert decide(step.after, c.Advance(), moment) == ()
        late = context(seconds=10**9)
        expired, _ = act(step.after, c.Expire(), late)
        due_now = next_deadline(step.after)
        assert (expired == step.after) is (due_now is None)
        if step.after.phase not in ("lay_card", "choose_row") or not open_decisions(step.after):
            assert decide(step.after, c.Expire(), late) == ()


@examples(10)
@given(games(max_seats=4))
def test_what_is_due_follows_from_the_game_alone(done: list[Step]) -> None:
    for step in done:
        if isinstance(step.command, c.Advance):
            assert due(step.after, context()) == ()
            assert bool(open_decisions(step.after)) is (step.after.status == "playing")


@examples(10)
@given(games(max_seats=4))
def test_folding_events_at_once_is_folding_them_one_by_one(done: list[Step]) -> None:
    for step in done:
        assert fold(step.before, step.events, step.at) == step.after
        assert step.after.seq == step.before.seq + len(step.events)
        assert fold(step.before, (), step.at) == step.before


def test_a_game_is_created_once_and_only_a_held_seat_changes() -> None:
    game = lobby()
    first = create(c.CreateGame("g_test", "p0", game.options), context())
    with pytest.raises(ValueError, match="created once"):
        evolve(game, first, START)
    with pytest.raises(ValueError, match="nobody holds seat 1"):
        evolve(game, e.SeatUpdated(1, ready=True, client_seed="", by=first.by), START)


def test_evolving_leaves_the_game_before_as_it_was() -> None:
    game = started()
    before = repr(game)
    act(game, c.LayCard(0, 1, 1, game.hands[0][0]), context())
    assert repr(game) == before
