"""What holds after every single event of every game, whoever plays it and whatever else its table does."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given

from engine import commands as c, events as e
from engine.automatic import next_deadline
from engine.cards import JOKERS, Card, is_joker
from engine.dealing import deal_of
from engine.decide import act, create, decide
from engine.decisions import open_decisions
from engine.evolve import evolve, fold
from engine.game import Game
from engine.options import RoundsEnd
from engine.outcome import is_over
from engine.rows import end_tenths
from engine.stages import due
from tests.rules.chosen import games
from tests.rules.table import FAIR, START, Step, context, lobby, started
from tests.searching import examples


def moments(done: list[Step]) -> Iterator[tuple[e.Event, Game]]:
    """Every event of the steps, each with the game right after it."""
    for step in done:
        game = step.before
        for event in step.events:
            game = evolve(game, event, step.at)
            yield event, game
        assert game == step.after


def rounds(done: list[Step]) -> Iterator[tuple[e.Event, Game]]:
    """Those of them from the deal or the draft of each round to its end."""
    is_dealt = False
    for event, game in moments(done):
        if isinstance(event, e.RoundDealt | e.DraftOpened | e.RoundStarted | e.RoundVoided):
            is_dealt = isinstance(event, e.RoundDealt | e.DraftOpened)
        if is_dealt:
            yield event, game


def stock(game: Game) -> tuple[Card, ...]:
    """The cards that were never dealt in this round."""
    if game.rules.drafts:
        return ()
    client_seeds = tuple(seat.client_seed for seat in game.taken)
    return deal_of(FAIR, game.rules, game.id, game.round, game.attempt, client_seeds).stock


@examples(25)
@given(games())
def test_every_card_is_in_exactly_one_place(done: list[Step]) -> None:
    for _, game in rounds(done):
        low, high = game.rules.deck_range(len(game.seats))
        deck: list[Card] = [*range(low, high + 1), *(JOKERS if game.rules.jokers else ())]
        places: tuple[tuple[Card, ...], ...] = (
            *game.hands,
            *game.piles,
            *game.rows,
            game.pool,
            tuple(play.card for play in game.queue),
            stock(game),
        )
        assert Counter(card for place in places for card in place) == Counter(deck)
        for seat, laid in enumerate(game.laid):
            assert laid is None or game.phase != "lay_card" or laid.card in game.hands[seat]


@examples(25)
@given(games())
def test_rows_never_end_equal_nor_outgrow_their_limit(done: list[Step]) -> None:
    for _, game in rounds(done):
        assert len({end_tenths(row) for row in game.rows}) == len(game.rows)
        for row in game.rows:
            values = [end_tenths(row[:length]) for length in range(1, len(row) + 1)]
            assert 1 <= len(row) <= 5
            assert values == sorted(values)
            assert not any(is_joker(left) and is_joker(right) for left, right in pairwise(row))


@examples(25)
@given(games())
def test_rows_are_chosen_in_placing_order_once_a_joker_and_once_for_the_lowest_number(
    done: list[Step],
) -> None:
    asked: dict[tuple[int, int, int], list[Card]] = {}
    for event, game in rounds(done):
        if isinstance(event, e.RowRequested):
            assert (event.seat, event.card) == game.queue[0]
            asked.setdefault((game.round, game.attempt, game.turn), []).append(event.card)
            numbers = [int(play.card) for play in game.plays if not is_joker(play.card)]
            assert event.why == ("joker" if is_joker(event.card) else "too_low")
            assert is_joker(event.card) or event.card == min(numbers)
    for cards in asked.values():
        assert len(set(cards)) == len(cards)
        assert [is_joker(card) for card in cards] == sorted(map(is_joker, cards), reverse=True)
        assert sum(not is_joker(card) for card in cards) <= 1


@examples(25)
@given(games())
def test_captures_hold_no_card_that_was_just_laid_and_cost_at_most_27(done: list[Step]) -> None:
    for event, _ in moments(done):
        if isinstance(event, e.CardPlaced):
            assert event.card not in event.captured
            assert len(event.captured) <= 5
            assert event.bullheads == sum(map(card_price, event.captured)) <= 27
            assert (event.why == "sixth") <= (len(event.captured) == 5)
            assert bool(event.captured) is (event.position == 0)


@examples(25)
@given(games())
def test_points_are_counted_from_the_piles_and_only_after_a_round_that_counts(done: list[Step]) -> None:
    totals = [0] * len(done[0].before.seats)
    for event, game in moments(done):
        if isinstance(event, e.RoundScored):
            for seat, pile in enumerate(event.piles):
                gained = sum(map(card_price, pile))
                assert event.round_bullheads[seat] == gained
                totals[seat] += gained if game.table == "hidden" else 0
            assert not any(game.hands)
        assert game.totals in ((), tuple(totals))
    last = done[-1].after
    if last.status == "abandoned" or last.options.learning_only:
        assert last.standings == ()
        return
    assert is_over(last.options.end, totals, last.scored_rounds)
    assert {place.seat for place in last.standings if place.winner} == {
        seat for seat, total in enumerate(totals) if total == min(totals)
    }


def card_price(card: Card) -> int:
    """Bullheads as the booklets say them."""
    if is_joker(card):
        return 1
    number = int(card)
    if number == 55:
        return 7
    return 5 if number % 11 == 0 else 3 if number % 10 == 0 else 2 if number % 5 == 0 else 1


@examples(25)
@given(games())
def test_a_game_ends_as_soon_as_its_condition_holds(done: list[Step]) -> None:
    totals: list[tuple[int, ...]] = [
        event.total_bullheads
        for event, game in moments(done)
        if isinstance(event, e.RoundScored) and game.table == "hidden"
    ]
    last = done[-1].after
    if last.status == "abandoned" or last.options.learning_only:
        return
    end = last.options.end
    assert [is_over(end, total, number) for number, total in enumerate(totals, 1)] == [
        number == len(totals) for number in range(1, len(totals) + 1)
    ]
    assert not isinstance(end, RoundsEnd) or len(totals) == end.rounds


@examples(25)
@given(games())
def test_nothing_of_the_play_is_owed_or_happens_while_a_game_waits(done: list[Step]) -> None:
    for event, game in moments(done):
        if game.status != "paused":
            assert game.paused_until is None
            continue
        assert {decision.key.kind for decision in open_decisions(game)} <= {"ballot"}
        assert event.type.startswith(("vote.", "seat.", "game.paused"))
        assert decide(game, c.Advance(), context()) == () or game.vote


@examples(25)
@given(games())
def test_what_a_vote_decides_has_a_yes_of_everybody_it_needs(done: list[Step]) -> None:
    for step in done:
        game = step.before
        for event in step.events:
            if isinstance(event, e.VoteClosed):
                assert game.vote is not None
                ballots = [game.vote.ballots[seat] for seat in game.voters()]
                said_yes = [ballot is not None and ballot.choice == "yes" for ballot in ballots]
                assert event.passed is (event.reason == "all_yes")
                assert not event.passed or (all(said_yes) and said_yes)
                assert (event.reason == "a_no") <= any(ballot and ballot.choice == "no" for ballot in ballots)
            game = evolve(game, event, step.at)


@examples(25)
@given(games())
def test_seats_change_hands_only_towards_house_bots(done: list[Step]) -> None:
    for step in done:
        for before, after in zip(step.before.taken, step.after.taken, strict=True):
            assert (before.player, before.name, before.kind) == (after.player, after.name, after.kind)
            assert before.level is None or after.level == before.level
            assert before.timeouts <= after.timeouts
            assert not (after.away and after.level)


@examples(10)
@given(games(max_seats=4))
def test_doing_what_is_due_twice_does_nothing(done: list[Step]) -> None:
    for step in done:
        moment = context(seconds=(step.at - START) / 1000)
        if isinstance(step.command, c.Advance):
            assert decide(step.after, c.Advance(), moment) == ()
        late = context(seconds=10**9)
        expired, events = act(step.after, c.Expire(), late)
        assert (expired == step.after) is (next_deadline(step.after) is None) is (events == ())


@examples(10)
@given(games(max_seats=4))
def test_whatever_is_late_is_done_and_then_nothing_is(done: list[Step]) -> None:
    for step in done[::7]:
        game, now = step.after, context(seconds=(step.at - START) / 1000)
        for _ in range(1000):
            deadline = next_deadline(game)
            if deadline is None or deadline > now.now:
                break
            before = game
            game, _ = act(game, c.Expire(), now)
            assert game.seq > before.seq
        assert decide(game, c.Expire(), now) == ()


@examples(10)
@given(games(max_seats=4))
def test_what_is_due_follows_from_the_game_alone(done: list[Step]) -> None:
    for step in done:
        if isinstance(step.command, c.Advance):
            assert due(step.after, context()) == ()
            is_owed = any(decision.key.kind != "ballot" for decision in open_decisions(step.after))
            assert is_owed is (step.after.status == "playing")


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
    with pytest.raises(ValueError, match="no vote is open"):
        evolve(game, e.VoteCast(1, 0, "yes", first.by), START)


def test_evolving_leaves_the_game_before_as_it_was() -> None:
    game = started()
    before = repr(game)
    act(game, c.LayCard(0, 1, 1, game.hands[0][0]), context())
    assert repr(game) == before
