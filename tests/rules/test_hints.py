"""Hints: what each card of a hand would do now, with the arithmetic done by hand, from what the seat can see alone."""

from __future__ import annotations

from typing import Any

import pytest

from engine import commands as c
from engine.cards import Card
from engine.hints import Hint, RowCost, hints
from engine.rows import place
from engine.simulate import simulate
from engine.views import view
from tests.rules.table import after, stacked, started

ROWS = (20, 30, 40, 45)


def told(hands: list[list[Card]], rows: tuple[Card, ...] = ROWS, **options: Any) -> dict[Card, Hint]:
    """The hints for seat 0 by card, in the first turn of a game with these hands."""
    game = started(len(hands), stacked(hands, rows), **options)
    return {hint.card: hint for hint in hints(view(game, 0, ""))}


def hand(*cards: int) -> list[Card]:
    """Ten cards: these, and the highest of those that nobody else holds here."""
    return [*cards, *range(104 - (10 - len(cards)) + 1, 105)]


OTHER: list[Card] = [*range(80, 90)]


def test_a_card_that_fits_says_its_row_what_may_come_before_and_what_is_free() -> None:
    hint = told([hand(24), OTHER])[24]
    assert hint == Hint(
        card=24,
        code="closest_row",
        row=0,
        between=3,  # 21, 22, 23
        free=4,
        cost=0,
        cost_if_full=3,  # 20
        choices=(),
        sentence="24 would go to row 0, behind 20, where 4 places are free."
        " Only 1 other lays: it cannot be one too many there.",
    )


def test_a_card_behind_the_end_itself_has_nothing_between() -> None:
    hint = told([hand(21), OTHER])[21]
    assert (hint.row, hint.between) == (0, 0)


def test_a_card_that_is_too_low_says_what_each_row_costs() -> None:
    hint = told([hand(5), OTHER])[5]
    assert (hint.code, hint.row, hint.free, hint.cost_if_full) == ("too_low", None, None, None)
    assert (hint.between, hint.cost) == (4, 2)  # 1 to 4; 45 counts two
    assert hint.choices == (
        RowCost(0, "take", 3),
        RowCost(1, "take", 3),
        RowCost(2, "take", 3),
        RowCost(3, "take", 2),
    )
    assert hint.sentence == (
        "5 is lower than every row end: you would take a row, for 2 bullheads at least."
        " 4 unseen cards are lower still: whoever lays one chooses first, and 5 may fit then."
    )


def test_the_lowest_card_of_all_has_nobody_before_it() -> None:
    hint = told([hand(1), OTHER])[1]
    assert hint.between == 0
    assert hint.sentence.endswith("for 2 bullheads at least.")


def filled(row: tuple[int, ...], ends: tuple[int, ...], cards: list[Card], **change: Any) -> dict[Card, Hint]:
    """The hints at a table of two with these rows, the first of which is `row`."""
    game = started(2)
    seen = view(game, 0, "")
    rows = [row, *((end,) for end in ends)]
    seen["rows"] = [
        {"cards": [*one], "end_tenths": 10 * one[-1], "bullheads": sum(1 for _ in one)} for one in rows
    ]
    seen["hand"] = cards
    return {hint.card: hint for hint in hints(seen | change)}


def test_a_full_row_costs_what_lies_there() -> None:
    hint = filled((1, 2, 3, 4, 6), (50, 60, 70), [9])[9]
    assert (hint.code, hint.row, hint.free, hint.between) == ("row_full", 0, 0, 2)  # 7, 8
    assert (hint.cost, hint.cost_if_full) == (5, 5)
    assert hint.sentence == (
        "9 would go to row 0, which is full: you would take it, for 5 bullheads."
        " 2 unseen cards are between: whoever lays one takes the row first, and 9 joins it."
    )
    sure = filled((1, 2, 3, 4, 6), (50, 60, 70), [7])[7]
    assert sure.sentence == "7 would go to row 0, which is full: you would take it, for 5 bullheads."


def test_one_free_place_may_be_taken_by_one_other() -> None:
    hint = filled((1, 2, 3, 4), (50, 60, 70), [9])[9]
    assert (hint.free, hint.between, hint.cost, hint.cost_if_full) == (1, 4, 0, 4)
    assert hint.sentence == (
        "9 would go to row 0, behind 4, where 1 place is free."
        " 4 unseen cards are between: if 1 of them comes before it, the row is full and you take it,"
        " for more than 4 bullheads."
    )


def test_too_few_between_cannot_fill_a_row() -> None:
    seats = view(started(4), 0, "")["seats"]
    hint = filled((1, 2, 4), (50, 60, 70), [6], seats=seats)[6]
    assert (hint.free, hint.between) == (2, 1)
    assert hint.sentence.endswith("1 unseen card is between, too few to fill the row.")
    none = filled((1, 2, 4), (50, 60, 70), [5], seats=seats)[5]
    assert none.sentence.endswith("No number card can come between.")


def test_what_was_seen_cannot_come_between() -> None:
    assert filled((1, 2, 3, 4), (50, 60, 70), [9], seen=[5, 6])[9].between == 2
    assert filled((1, 2, 3, 4), (50, 60, 70), [5, 8, 9])[9].between == 2


def test_a_joker_says_where_it_can_join_and_what_taking_costs() -> None:
    hint = told([["J4", *hand(24)], ["J2", *OTHER]], ruleset="jokers")["J4"]
    assert (hint.code, hint.row, hint.between, hint.cost) == ("joker", None, 0, 0)
    assert hint.choices[:2] == (RowCost(0, "append", 0), RowCost(0, "take", 3))
    assert hint.sentence == (
        "You would choose: it can join rows 0, 1, 2 or 3 and capture nothing, or take any row."
    )


@pytest.mark.parametrize(
    ("rows", "sentence", "cost"),
    [
        (
            [["J0"], [20, "J1"], [30, "J2"], [1, 2, 3, 4, 5]],
            "You would take a row with it, for 1 bullhead at least: it can join none.",
            1,
        ),
        (
            [["J0"], [20], [30, "J2"], [1, 2, 3, 4, 5]],
            "You would choose: it can join row 1 and capture nothing, or take any row.",
            0,
        ),
    ],
)
def test_a_joker_joins_no_joker_and_no_full_row(rows: Any, sentence: str, cost: int) -> None:
    seen = view(started(2, ruleset="jokers"), 0, "")
    seen["rows"] = [{"cards": row, "end_tenths": 10, "bullheads": 1} for row in rows]
    seen["hand"] = ["J9"]
    (hint,) = hints(seen)
    assert (hint.sentence, hint.cost) == (sentence, cost)


def test_where_there_are_jokers_one_may_take_a_place() -> None:
    hint = told([["J4", *hand(31)], ["J2", *OTHER], ["J3", *range(60, 70)]], ruleset="jokers")[31]
    assert "Joker" not in hint.sentence  # four places are free, and two others lay
    five = [["J4", *hand(31)], *([f"J{n}", *range(40 + 10 * n, 50 + 10 * n)] for n in range(4))]
    assert told(five, (20, 30, 38, 39), ruleset="jokers")[31].sentence.endswith(
        " A Joker is placed before it, and may take a place."
    )


def test_at_an_open_table_the_others_hands_are_what_may_come() -> None:
    hands: list[list[Card]] = [hand(24), [21, 23, *range(80, 88)], [22, *range(70, 79)]]
    chance = stacked(hands, ROWS)
    game = started(3, chance, learning_rounds=1)

    def between() -> int:
        return next(hint.between for hint in hints(view(game, 0, "")) if hint.card == 24)

    assert game.called == 0
    assert between() == 3
    assert "3 cards of others are" not in hints(view(game, 0, ""))[0].sentence  # four places, two others
    game = after(game, c.LayCard(0, 1, 1, 104), c.Advance(), chance=chance)
    game = after(game, c.LayCard(1, 1, 1, 80), c.Advance(), chance=chance)
    assert between() == 1  # seat 1 lays 80 and no other card this turn


def test_hints_are_made_of_the_seat_s_own_view_alone() -> None:
    hands: list[list[Card]] = [hand(24, 5), OTHER]
    other: list[list[Card]] = [hand(24, 5), [*range(60, 70)]]
    assert told(hands) == told(other)


def test_a_hint_is_what_happens_when_nobody_else_lays() -> None:
    game = started(2)
    for hint in hints(view(game, 0, "")):
        made = simulate(game.rules, game.rows, [{"seat": 0, "card": hint.card}], [])
        if hint.row is None:
            assert made.pending is not None
            placed = place(game.rows, hint.card, game.rules.row_limit)
            assert placed is None
        else:
            (placed_card,) = made.placements
            assert (placed_card.row, placed_card.bullheads) == (hint.row, hint.cost)


@pytest.mark.parametrize("ruleset", ["classic", "tactics", "jokers"])
def test_there_is_a_hint_for_every_card_of_the_hand(ruleset: str) -> None:
    game = started(3, ruleset=ruleset)
    assert tuple(hint.card for hint in hints(view(game, 1, ""))) == game.hands[1]
    assert hints(view(game, None, "")) == ()
