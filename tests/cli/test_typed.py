"""What is typed at the table: every answer in its short and its long form, and what is none of them says what would be."""

from __future__ import annotations

from typing import Any

import pytest

from take5 import typed
from take5.typed import Left, NotUnderstood, Vote

HAND = ("J4", 3, 37, 104)
EITHER, TAKE = ("append", "take"), ("take",)
ROWS = (EITHER, TAKE, EITHER, TAKE)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("37", {"card": 37}),
        ("J4", {"card": "J4"}),
        ("j4", {"card": "J4"}),
        ("37 low", {"card": 37, "if_low": "fewest_bullheads"}),
        ("3!", {"card": 3, "if_low": "fewest_bullheads"}),
    ],
)
def test_a_card_is_laid_perhaps_with_the_row_in_advance(text: str, answer: Any) -> None:
    assert typed.card_answer(text, HAND, ahead=True) == answer


@pytest.mark.parametrize("text", ["38", "J5", "٣", "3.0", "+3", "03", "37 38", "low", "4", "37 lower"])
def test_what_is_no_card_of_the_hand_is_none(text: str) -> None:
    with pytest.raises(NotUnderstood, match="You hold no card"):
        typed.card_answer(text, HAND, ahead=True)


def test_a_row_cannot_be_said_in_advance_where_the_table_does_not_allow_it() -> None:
    with pytest.raises(NotUnderstood):
        typed.card_answer("37 low", HAND, ahead=False)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("0 append", (0, "append")),
        ("0a", (0, "append")),
        ("2 T", (2, "take")),
        ("2take", (2, "take")),
        ("1", (1, "take")),
        ("3 take", (3, "take")),
    ],
)
def test_a_row_is_chosen_with_its_mode(text: str, answer: Any) -> None:
    row, mode = answer
    assert typed.row_answer(text, ROWS) == {"row": row, "mode": mode}


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("0", "Append to row 0 or take it?"),
        ("1 append", "You can only take row 1."),
        ("4", "no row 4"),
        ("-1", "no row -1"),
        ("2 eat", "no row 2 eat"),
        ("two", "no row two"),
    ],
)
def test_a_row_that_cannot_be_chosen_says_why(text: str, why: str) -> None:
    with pytest.raises(NotUnderstood) as caught:
        typed.row_answer(text, ROWS)
    assert why in str(caught.value)


@pytest.mark.parametrize(
    ("text", "answer"),
    [
        ("3", {"card": 3}),
        ("104 3", {"plan": [104, 3]}),
        ("104, 3,37", {"plan": [104, 3, 37]}),
    ],
)
def test_one_card_is_a_pick_and_several_are_a_plan(text: str, answer: Any) -> None:
    assert typed.pick_answer(text, (3, 37, 104)) == answer


@pytest.mark.parametrize(
    ("text", "why"),
    [("4", "no card 4"), ("3 5 37", "no card 5"), ("3 3", "each card once"), ("3,", "no card")],
)
def test_a_pick_that_cannot_be_says_why(text: str, why: str) -> None:
    with pytest.raises(NotUnderstood) as caught:
        typed.pick_answer(text, (3, 37, 104))
    assert why in str(caught.value)


def test_a_ballot_is_yes_or_no() -> None:
    assert [typed.ballot_answer(text)["choice"] for text in ("yes", "Y", "no", "N")] == [
        "yes",
        "yes",
        "no",
        "no",
    ]
    with pytest.raises(NotUnderstood, match="yes or no"):
        typed.ballot_answer("maybe")


@pytest.mark.parametrize(
    ("text", "word"),
    [
        ("help", "help"),
        ("H", "help"),
        ("?", "hints"),
        ("resign", "resign"),
        ("vote pause", Vote("pause", None)),
        ("VOTE  Replace 2", Vote("replace", 2)),
        ("37", None),
        ("", None),
        ("yes", None),
    ],
)
def test_some_words_may_be_said_at_any_question(text: str, word: Any) -> None:
    assert typed.word(text) == word


@pytest.mark.parametrize(
    ("text", "why"),
    [
        ("vote", "Say what about: vote redeal"),
        ("vote foo", "There is no vote on foo. Say what about: vote redeal"),
        ("vote re deal", "There is no vote on re deal."),
        ("vote replace", "Name the seat by its number: vote replace 2."),
        ("vote replace x", "Name the seat by its number"),
        ("vote replace 2 3", "Name the seat by its number"),
        ("vote pause 2", "A vote to pause names nothing else: vote pause."),
        ("vote redeal now", "A vote to redeal names nothing else"),
    ],
)
def test_a_vote_about_nothing_says_what_is_wrong_with_it(text: str, why: str) -> None:
    with pytest.raises(NotUnderstood) as caught:
        typed.word(text)
    assert str(caught.value).startswith(why)


@pytest.mark.parametrize("text", ["q", "Q", "quit", "exit"])
def test_whoever_wants_to_leaves(text: str) -> None:
    with pytest.raises(Left):
        typed.word(text)


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("true", True),
        ("false", False),
        ("null", None),
        ("3", 3),
        ("-1", -1),
        ("ahead", "ahead"),
        ("1.5", "1.5"),
        ('{"turn_ms": 3000, "row_ms": null}', {"turn_ms": 3000, "row_ms": None}),
    ],
)
def test_the_value_of_an_option_is_what_it_looks_like(text: str, value: Any) -> None:
    assert typed.value(text) == value
