"""The score sheet: what each seat captured in each deal, what counts of it, and the same as a table and as text."""

from __future__ import annotations

import csv
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import given, strategies as st

from engine import commands as c, events as e
from engine.cards import bullheads
from engine.chance import Context
from engine.decide import act
from engine.replay import Step as Seen, steps
from engine.scores import COLUMNS, Sheet, as_csv, as_text, sheet
from tests.rules.lively import lively
from tests.rules.table import FAIR, Step, after, lobby, logged, played, start
from tests.searching import examples


def of(done: Sequence[Step]) -> Sheet:
    return sheet(steps(logged(done)))


def test_a_round_has_the_captures_of_each_seat_and_the_totals_after_it() -> None:
    done = played(3, seats=3, end={"rounds": 2})
    made, game = of(done), done[-1].after
    assert [(one.round, one.attempt, one.kind) for one in made.rounds] == [
        (1, 0, "counted"),
        (2, 0, "counted"),
    ]
    first, second = made.rounds
    for before, now in zip(first.seats, second.seats, strict=True):
        assert before.total_bullheads == before.bullheads == bullheads(before.captured)
        assert now.total_bullheads == before.bullheads + now.bullheads
    assert tuple(score.total_bullheads for score in second.seats) == game.totals
    assert (made.standings, made.status, made.lowest_wins) == (game.standings, "finished", True)
    assert [scorer.name for scorer in made.seats] == ["name 0", "name 1", "name 2"]


def test_cards_stand_in_the_order_of_capture() -> None:
    done = played(3, seats=2, end={"rounds": 1})
    placed = [event for step in done for event in step.events if isinstance(event, e.CardPlaced)]
    for score in of(done).rounds[0].seats:
        captured = [card for event in placed if event.seat == score.seat for card in event.captured]
        assert [*score.captured] == captured


def test_a_learning_round_is_marked_and_changes_no_total() -> None:
    made = of(played(5, learning_rounds=1, end={"rounds": 1}))
    assert [one.kind for one in made.rounds] == ["learning", "counted"]
    learnt, counted = made.rounds
    assert any(score.bullheads for score in learnt.seats)
    assert [score.total_bullheads for score in learnt.seats] == [0, 0]
    assert [score.total_bullheads for score in counted.seats] == [score.bullheads for score in counted.seats]


def test_a_game_for_learning_has_no_winner() -> None:
    made = of(played(5, learning_rounds=1, learning_only=True))
    assert (made.standings, [one.kind for one in made.rounds]) == ((), ["learning"])
    assert as_text(made).endswith("It ended without a winner.\n")


def voided() -> list[Step]:
    """A first round that is dealt anew after some turns, and then given up by all."""
    done = played(4)[:25]
    moves: tuple[c.Command, ...] = (
        c.OpenVote("p0", "redeal"),
        c.CastBallot("p1", 1, "yes"),
        c.OpenVote("p0", "abandon"),
        c.CastBallot("p1", 2, "yes"),
    )
    for command in moves:
        before, at = done[-1].after, done[-1].at
        game, events = act(before, command, Context(at, FAIR))
        done.append(Step(before, command, events, game, at))
    return done


def test_a_round_that_was_voided_is_marked_and_counts_for_nobody() -> None:
    made = of(voided())
    assert [(one.round, one.attempt, one.kind) for one in made.rounds] == [
        (1, 0, "voided"),
        (1, 1, "unfinished"),
    ]
    assert sum(score.bullheads for score in made.rounds[0].seats) > 0
    assert {score.total_bullheads for one in made.rounds for score in one.seats} == {0}
    assert made.status == "abandoned"


def test_before_the_first_deal_there_is_nothing_to_score() -> None:
    made = sheet(list(steps(logged(played(1))))[:2])
    assert (made.rounds, made.standings, made.status) == ((), (), "lobby")
    assert [scorer.seat for scorer in made.seats] == [0]
    assert as_text(made) == "g_test, classic: the fewest bullheads win\n"
    with pytest.raises(ValueError, match="at least one step"):
        sheet(())


@examples(30)
@given(st.integers(0, 400), st.sampled_from(["classic", "tactics", "pro", "jokers"]), st.integers(0, 1))
def test_the_sheet_adds_up_in_every_game(seed: int, ruleset: str, learning: int) -> None:
    options: dict[str, Any] = {"ruleset": ruleset, "end": {"rounds": 2}, "pace": "bot"}
    if ruleset == "classic":
        options["learning_rounds"] = learning
    done = lively(seed, 3, **options)
    made, game = of(done), done[-1].after
    totals = [0, 0, 0]
    for one in made.rounds:
        captured = [card for score in one.seats for card in score.captured]
        assert len({*captured}) == len(captured)
        for score in one.seats:
            assert score.bullheads == bullheads(score.captured)
            totals[score.seat] += score.bullheads if one.kind == "counted" else 0
            assert score.total_bullheads == totals[score.seat]
    assert tuple(totals) == game.totals


def test_as_a_table_it_has_a_line_for_each_seat_of_each_round() -> None:
    made = of(played(3, seats=3, end={"rounds": 2}))
    lines = list(csv.reader(as_csv(made).splitlines()))
    assert lines[0] == [*COLUMNS]
    assert len(lines) == 1 + 2 * 3
    found = dict(zip(COLUMNS, lines[1], strict=True))
    score = made.rounds[0].seats[0]
    assert found["captured"].split() == [str(card) for card in score.captured]
    assert (found["kind"], found["player"], int(found["total_bullheads"])) == (
        "counted",
        "p0",
        score.total_bullheads,
    )


def test_as_text_it_reads_like_a_sheet_of_paper() -> None:
    made = of(voided())
    text = as_text(made)
    assert "Round 1: void, nothing counts\n" in text
    assert "Round 1, dealt again (1): not finished\n" in text
    assert "  0 name 0     0      0 in all  took nothing\n" in text
    whole = as_text(of(played(5, learning_rounds=1, end={"rounds": 1})))
    assert "Round 1: for learning, nothing counts\n" in whole
    assert "place 1  wins\n" in whole
    assert whole.index("place 1") < whole.index("place 2")


@pytest.mark.parametrize(
    ("name", "cells"),
    [("bob", 3), ("李小龍", 6), ("Zoe\u0308", 3), ("ﾊﾞｰｶﾞｰ", 6), ("🂡ace", 4), ("🐂", 2)],
)
def test_names_of_any_width_leave_the_columns_below_each_other(name: str, cells: int) -> None:
    game = start(after(lobby(2), c.JoinSeat("p0", name, "human"), c.JoinSeat("p1", "somebody", "human")))
    made = sheet([Seen(e.RoundStarted(1, 0, "", 1, 104), game, "")])
    first, second = as_text(made).splitlines()[-2:]
    assert first.index("   0 in all") == second.index("   0 in all") - cells + len(name)


def test_a_name_that_a_spreadsheet_would_take_for_a_formula_is_text_in_the_table() -> None:
    game = start(after(lobby(2), c.JoinSeat("p0", "=1+1", "human"), c.JoinSeat("p1", "a=1", "human")))
    made = sheet([Seen(e.RoundStarted(1, 0, "", 1, 104), game, "")])
    assert [line.split(",")[-1] for line in as_csv(made).splitlines()[1:]] == ["'=1+1", "a=1"]


def test_house_bots_have_no_player_in_the_table_and_are_told_apart_by_name() -> None:
    game = start(
        after(lobby(2), c.JoinSeat("p0", "a", "human", accept_bots=True), c.SeatBot("p0", 1, "random"))
    )
    made = sheet([Seen(e.RoundStarted(1, 0, "", 1, 104), game, "")])
    lines = [line.split(",") for line in as_csv(made).splitlines()[1:]]
    assert [(line[5], line[-1]) for line in lines] == [("p0", "a"), ("", made.seats[1].name)]
    assert made.seats[1].name
