"""Learning rounds: hands lie open, one seat lays after the other, each placement is explained, and nothing counts."""

from __future__ import annotations

from typing import Any

import pytest
from hypothesis import given, strategies as st

from engine import commands as c, events as e
from engine.cards import TENTHS, in_order, is_joker
from engine.decide import act, decide
from engine.decisions import open_decisions
from engine.explain import explained
from engine.game import Game
from engine.log import redact
from engine.players import By
from engine.rows import Rows, place
from engine.views import view
from tests.rules.table import (
    after,
    context,
    later,
    lay,
    logged,
    played,
    refused,
    stacked,
    started,
)
from tests.searching import examples

LOW = stacked([(1, 60, *range(61, 69)), (50, 70, *range(71, 79))], (20, 30, 40, 45))


def learning(seats: int = 2, **options: Any) -> Game:
    """The first learning round of a table."""
    return started(seats, learning_rounds=1, **options)


def called(game: Game, *cards: int) -> Game:
    """The game after these cards, each laid by the seat that is called."""
    for card in cards:
        assert game.called is not None
        game = after(game, lay(game, game.called, card), c.Advance(), chance=LOW)
    return game


def test_everybody_sees_every_hand() -> None:
    game = learning(3)
    hands = [list(hand) for hand in game.hands]
    for seat in (None, 0, 1, 2):
        shown = view(game, seat, "")
        assert (shown["table"], shown["hands"], shown["rules"]["counts"]) == ("open", hands, False)
    log = redact(logged(played(1, 3, learning_rounds=1, end={"rounds": 1}))[:9], None)
    assert [one["open"].keys() for one in log if one["type"] == "round.dealt"] == [{"s0", "s1", "s2"}]


def test_one_seat_after_the_other_lays_its_card_for_all_to_see() -> None:
    game = learning(3)
    (decision,) = open_decisions(game)
    assert (str(decision.key), game.called) == ("r1.t1.s0.card", 0)
    first = game.hands[0][2]
    assert refused(game, lay(game, 1, game.hands[1][0])).code == "decision_not_open"
    game = after(game, lay(game, 0, first))
    for seat in (None, 0, 1):
        shown = view(game, seat, "")
        assert (shown["phase"], shown["laid_cards"]) == ("lay_card", [first, None, None])
        assert [one["laid"] for one in shown["seats"]] == [True, False, False]
    # Until the next seat is called, nobody can lay, and nobody is too late for it.
    assert open_decisions(game) == ()
    assert refused(game, lay(game, 1, game.hands[1][0])).code == "decision_not_open"
    assert refused(game, lay(game, 0, game.hands[0][0])).code == "decision_closed"
    assert decide(game, lay(game, 0, first), context()) == ()
    game = after(game, c.Advance())
    assert (game.called, str(open_decisions(game)[0].key)) == (1, "r1.t1.s1.card")
    assert refused(game, lay(game, 0, game.hands[0][0])).code == "decision_closed"


def test_an_open_card_is_final_even_where_cards_may_be_changed() -> None:
    game = learning(3, recommit=True)
    first, second = game.hands[0][:2]
    assert refused(after(game, lay(game, 0, first)), lay(game, 0, second)).code == "decision_closed"


def test_the_starting_seat_moves_on_each_turn() -> None:
    done = played(1, 3, learning_rounds=1, end={"rounds": 1})
    seats: list[int] = [
        event.seat for step in done for event in step.events if isinstance(event, e.SeatCalled)
    ]
    turns = [seats[place : place + 3] for place in range(0, 30, 3)]
    assert turns[:4] == [[0, 1, 2], [1, 2, 0], [2, 0, 1], [0, 1, 2]]
    assert len(seats) == 30


def test_each_seat_has_its_own_time() -> None:
    game = learning(2, pace="blitz")
    assert game.deadline == later(15)
    game, events = act(game, c.Expire(), context(seconds=15))
    assert isinstance(events[0], e.CardLaid)
    assert (events[0].by, events[0].table) == (By("timeout", 0), "open")
    assert (game.called, game.deadline) == (1, later(30))


def test_each_placement_is_explained_before_it_happens() -> None:
    game = called(learning(chance=LOW), 60, 50)
    game = called(game, 70, 1)
    assert [play.card for play in game.queue] == [1, 70]
    (explanation,) = game.explanations
    assert (explanation.seat, explanation.card, explanation.code) == (0, 1, "too_low")
    shown = view(game, 1, "")["explanations"]
    assert shown == [
        {
            "seat": 0,
            "card": 1,
            "code": "too_low",
            "lower": [],
            "closest": None,
            "sentence": "1 is lower than every row end (20, 30, 40, 60), so it fits nowhere: its owner takes a row"
            " of any length, and the card starts that row again.",
        }
    ]
    done = played(4, 3, learning_rounds=1, learning_only=True)
    told = [
        event for step in done for event in step.events if isinstance(event, e.CardExplained | e.CardPlaced)
    ]
    pairs = list(zip(told[::2], told[1::2], strict=True))
    assert len(pairs) == 30
    codes = {"closest_row": "appended", "row_full": "sixth", "too_low": "too_low"}
    for why, placed in pairs:
        assert isinstance(why, e.CardExplained)
        assert isinstance(placed, e.CardPlaced)
        assert (why.seat, why.card, codes[why.code]) == (placed.seat, placed.card, placed.why)
        assert why.closest in (None, placed.row)


ROWS: Rows = ((20,), (30, 31), (40, 41, 42, 43, 44), (55, 56, 57, 58, 60))
FULL: Rows = ((20,), (30, 31), (3, 4, 6, 7, 8), (55, 56, 57, 58, 60))


@pytest.mark.parametrize(
    ("rows", "card", "code", "lower", "closest", "sentence"),
    [
        (
            ROWS,
            33,
            "closest_row",
            (0, 1),
            1,
            "Of the row ends lower than 33 (20, 31), 31 in row 1 is the closest: the card joins it as number 3 of 5.",
        ),
        (
            ROWS,
            50,
            "row_full",
            (0, 1, 2),
            2,
            (
                "Of the row ends lower than 50 (20, 31, 44), 44 in row 2 is the closest. That row has its 5 cards,"
                " and this is one too many: its owner takes them, 11 bullheads, and the card starts the row again."
            ),
        ),
        (
            ROWS,
            7,
            "too_low",
            (),
            None,
            (
                "7 is lower than every row end (20, 31, 44, 60), so it fits nowhere: its owner takes a row of any"
                " length, and the card starts that row again."
            ),
        ),
        (
            ROWS,
            "J3",
            "joker",
            (),
            None,
            "J3 is a Joker: its owner joins it to a row, or takes a row with it.",
        ),
    ],
)
def test_an_explanation_names_the_lower_ends_and_the_closest(
    rows: Rows, card: Any, code: str, lower: tuple[int, ...], closest: int | None, sentence: str
) -> None:
    made = explained(rows, e.Play(2, card), 5)
    assert made == e.CardExplained(2, card, code, lower, closest, sentence)  # type: ignore[arg-type]  # mypy takes such words for any string


def test_one_bullhead_is_told_in_the_singular() -> None:
    assert "takes them, 1 bullhead, and" in explained(((2,), (30,)), e.Play(0, 5), 1).sentence


@examples(100)
@given(st.randoms(use_true_random=False))
def test_explanations_agree_with_the_placing_rule(chance: Any) -> None:
    cards = chance.sample(range(1, 105), 21)
    rows = tuple(in_order(cards[5 * row : 5 * row + chance.randint(1, 5)]) for row in range(4))
    made, placement = explained(rows, e.Play(0, cards[20]), 5), place(rows, cards[20], 5)
    assert made.lower == tuple(
        row
        for row, there in enumerate(rows)
        if TENTHS[there[-1]] < TENTHS[cards[20]] and not is_joker(there[-1])
    )
    assert (made.closest, made.code) == (
        (None, "too_low")
        if placement is None
        else (placement.row, "row_full" if placement.why == "sixth" else "closest_row")
    )


def test_nothing_counts_until_the_game_begins() -> None:
    done = played(4, 3, learning_rounds=2, end={"rounds": 2})
    scored = [
        (step.after, event) for step in done for event in step.events if isinstance(event, e.RoundScored)
    ]
    assert [any(event.round_bullheads) for _, event in scored] == [True] * 4
    assert [event.total_bullheads == (0, 0, 0) for _, event in scored] == [True, True, False, False]
    opened = [event for step in done for event in step.events if isinstance(event, e.RoundStarted)]
    assert [(event.round, event.table) for event in opened] == [
        (1, "open"),
        (2, "open"),
        (3, "hidden"),
        (4, "hidden"),
    ]
    last = done[-1].after
    assert (last.status, last.round, last.scored_rounds) == ("finished", 4, 2)
    assert {place.total_bullheads for place in last.standings} == set(last.totals)


def test_a_points_limit_is_not_reached_while_nothing_counts() -> None:
    done = played(4, 3, learning_rounds=1, end={"points": 1, "when": "reached"})
    assert done[-1].after.round == 2


def test_a_table_may_play_for_learning_only_and_nobody_wins() -> None:
    done = played(4, 3, learning_rounds=1, learning_only=True)
    (finished,) = [event for step in done for event in step.events if isinstance(event, e.GameFinished)]
    assert finished == e.GameFinished("learning", (), lowest_wins=True)
    assert (done[-1].after.round, done[-1].after.totals) == (1, (0, 0, 0))


def test_hands_are_hidden_again_when_the_game_begins() -> None:
    done = played(4, 3, learning_rounds=1, end={"rounds": 1})
    game = next(step.after for step in done if step.after.round == 2)
    assert view(game, None, "")["hands"] is None
    assert view(game, None, "")["rules"]["counts"] is True
    assert [len(open_decisions(game)), game.called] == [3, None]


@pytest.mark.parametrize("auto", [True, False])
def test_the_last_card_is_laid_by_the_service_where_the_table_lets_it(auto: bool) -> None:
    done = played(4, 2, learning_rounds=1, learning_only=True, auto_last_card=auto)
    last = [event for step in done for event in step.events if isinstance(event, e.CardLaid)][-2:]
    assert {event.by.kind for event in last} == ({"policy"} if auto else {"player"})
    assert {event.table for event in last} == {"open"}


@pytest.mark.parametrize("policy", ["ahead", "fewest_bullheads"])
def test_a_row_may_be_chosen_in_advance_at_an_open_table_too(policy: str) -> None:
    game = called(learning(chance=LOW, row_policy=policy), 60, 50)
    game = called(game, 70)
    if_low = "fewest_bullheads" if policy == "ahead" else None
    command = c.LayCard(0, 1, 2, 1, if_low=if_low)  # type: ignore[arg-type]  # mypy takes such words for any string
    game, events = act(after(game, command), c.Advance(), context(LOW))
    chosen = [event for event in events if isinstance(event, e.RowChosen)]
    assert [(event.seat, event.mode) for event in chosen] == [(0, "take")]
    assert game.turn == 3
