"""The placing rule as laws, against the rule said in another way, and the cases in which it refuses."""

from __future__ import annotations

import random
from itertools import combinations
from typing import Any

import pytest
from hypothesis import given, strategies as st

from engine.cards import BULLHEADS, JOKERS, TENTHS, Card, bullheads, in_order, is_card, is_joker
from engine.errors import Refusal
from engine.rows import Rows, choice, chosen_mode, closest_row, end_tenths, place, place_chosen

LIMIT = 5
ROWS: Rows = ((20,), (30, 31), (40, 41, 42, 43, 44), (50,))


@st.composite
def positions(draw: st.DrawFn) -> tuple[Rows, int]:
    """Four ascending rows of one to five number cards, and a card that lies in none of them."""
    chance = random.Random(draw(st.integers(0, 2**32)))
    cards = chance.sample(range(1, 105), 21)
    sizes = [draw(st.integers(1, LIMIT)) for _ in range(4)]
    rows = tuple(tuple(sorted(cards[5 * row : 5 * row + size])) for row, size in enumerate(sizes))
    return rows, cards[20]


@given(positions())
def test_a_card_goes_to_the_highest_end_below_it(position: tuple[Rows, int]) -> None:
    rows, card = position
    below = {row[-1]: index for index, row in enumerate(rows) if TENTHS[row[-1]] < TENTHS[card]}
    assert closest_row(rows, card) == (below[max(below)] if below else None)


@given(positions())
def test_placing_adds_the_card_and_moves_at_most_one_row_to_the_pile(position: tuple[Rows, int]) -> None:
    rows, card = position
    placement = place(rows, card, LIMIT)
    if placement is None:
        assert TENTHS[card] < min(TENTHS[row[-1]] for row in rows)
        assert choice(rows, card, LIMIT) == (("take",),) * 4
        return
    assert choice(rows, card, LIMIT) is None
    others = [row for row in range(4) if row != placement.row]
    assert [placement.rows[row] for row in others] == [rows[row] for row in others]
    old, new = rows[placement.row], placement.rows[placement.row]
    assert new[placement.position] == card == new[-1]
    if len(old) < LIMIT:
        assert (new, placement.captured, placement.why) == ((*old, card), (), "appended")
    else:
        assert (new, placement.captured, placement.why) == ((card,), old, "sixth")
    assert placement.bullheads == bullheads(placement.captured)


@given(positions(), st.integers(0, 3))
def test_a_low_card_takes_the_row_that_its_owner_chooses(position: tuple[Rows, int], row: int) -> None:
    rows, card = position
    if place(rows, card, LIMIT) is not None:
        with pytest.raises(Refusal, match="no_row_choice"):
            place_chosen(rows, card, LIMIT, row)
        return
    placement = place_chosen(rows, card, LIMIT, row)
    assert (placement.row, placement.position, placement.why) == (row, 0, "too_low")
    assert placement.captured == rows[row]
    assert placement.rows == (*rows[:row], (card,), *rows[row + 1 :])


def test_the_dearest_capture_is_27() -> None:
    dearest = sorted(BULLHEADS.values())[-5:]
    assert sum(dearest) == 27
    by_price = sorted(range(1, 105), key=BULLHEADS.__getitem__)[-9:]
    assert {cards for cards in combinations(sorted(by_price), 5) if bullheads(cards) == 27} >= {
        (11, 22, 33, 44, 55)
    }


@pytest.mark.parametrize("number", range(1, 105))
def test_bullheads_follow_the_first_rule_that_fits(number: int) -> None:
    printed = {55: 7} | dict.fromkeys((11, 22, 33, 44, 66, 77, 88, 99), 5)
    printed |= dict.fromkeys(range(10, 101, 10), 3) | dict.fromkeys((5, 15, 25, 35, 45, 65, 75, 85, 95), 2)
    assert BULLHEADS[number] == printed.get(number, 1)


@pytest.mark.parametrize("value", [0, 105, -1, True, 5.0, "5", "J", "J10", "j0", None, [], (1,)])
def test_what_is_not_a_card_s_code_is_no_card(value: Any) -> None:
    assert not is_card(value)


def test_cards_are_told_apart_and_put_in_order() -> None:
    cards: list[Card] = [104, "J9", 1, "J0", 55]
    assert all(map(is_card, cards))
    assert [card for card in cards if is_joker(card)] == ["J9", "J0"]
    assert in_order(cards) == ("J0", "J9", 1, 55, 104)
    assert len(JOKERS) == 10


def test_the_end_of_a_row_counts_in_tenths() -> None:
    assert [end_tenths(row) for row in ((17,), (17, "J4"), ("J4",), (5, 9, "J0"), ("J4", 9))] == [
        170,
        174,
        4,
        90,
        90,
    ]


def test_no_number_card_is_low_while_a_joker_lies_alone() -> None:
    rows: Rows = (("J9",), (50,), (60,), (70,))
    assert [closest_row(rows, card) for card in (1, 49, 50, 51)] == [0, 0, 0, 1]


def test_a_joker_asks_and_is_never_placed_without_an_answer() -> None:
    rows: Rows = ((20,), (30, "J1"), (40, 41, 42, 43, 44), ("J2",))
    assert place(rows, "J5", LIMIT) is None
    assert choice(rows, "J5", LIMIT) == (("append", "take"), ("take",), ("take",), ("take",))
    appended = place_chosen(rows, "J5", LIMIT, 0, "append")
    assert (appended.rows[0], appended.why, appended.captured) == ((20, "J5"), "joker", ())
    taken = place_chosen(rows, "J5", LIMIT, 1, "take")
    assert (taken.rows[1], taken.why, taken.captured) == (("J5",), "joker", (30, "J1"))
    assert chosen_mode(rows, "J5", LIMIT, 2, "append") == "take"


@pytest.mark.parametrize(
    ("card", "row", "mode", "code"),
    [
        (5, 4, None, "row_out_of_range"),
        (5, -1, None, "row_out_of_range"),
        (5, 0, "append", "mode_not_legal"),
        (25, 0, None, "no_row_choice"),
        ("J5", 0, None, "mode_not_legal"),
        ("J5", 9, "take", "row_out_of_range"),
    ],
)
def test_an_illegal_choice_is_refused_and_told_what_would_be_legal(
    card: Card, row: int, mode: Any, code: str
) -> None:
    with pytest.raises(Refusal) as refused:
        chosen_mode(ROWS, card, LIMIT, row, mode)
    assert refused.value.code == code
    legal = choice(ROWS, card, LIMIT)
    assert refused.value.legal == (legal and {"rows": [list(modes) for modes in legal]})


def test_a_joker_is_not_appended_beside_a_joker() -> None:
    with pytest.raises(Refusal, match="mode_not_legal"):
        chosen_mode(((30, "J1"), (40,), (50,), (60,)), "J5", LIMIT, 0, "append")
