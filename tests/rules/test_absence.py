"""Seats without their holders: played for while they are away, for good once they are given up."""

from __future__ import annotations

import pytest

from engine import commands as c, events as e
from engine.automatic import next_deadline
from engine.decide import act, decide
from engine.players import By
from engine.views import view
from tests.rules.table import (
    START,
    after,
    context,
    later,
    lay,
    lobby,
    played,
    refused,
    seat_all,
    start,
    started,
)


def test_a_player_steps_away_and_comes_back() -> None:
    game, events = act(started(3), c.GoAway("p1"), context())
    assert events == (e.SeatAway(1, "asked", By("player", 1)),)
    assert decide(game, c.GoAway("p1"), context()) == ()
    assert [(seat["controller"], seat["presence"]) for seat in view(game, None, "")["seats"]] == [
        ("player", "online"),
        ("policy", "away"),
        ("player", "online"),
    ]
    back, events = act(game, c.Return("p1"), context())
    assert events == (e.SeatReturned(1, By("player", 1)),)
    assert back.taken[1].controller == "player"
    assert decide(back, c.Return("p1"), context()) == ()


def test_who_is_away_is_played_for_once_only_such_seats_are_waited_for() -> None:
    game = after(started(3, pace="untimed"), c.GoAway("p1"))
    assert next_deadline(game) is None
    assert decide(game, c.Expire(), context(seconds=10**6)) == ()
    for seat in (0, 2):
        game = after(game, lay(game, seat, game.hands[seat][0]))
    assert next_deadline(game) == game.opened_at
    expired = decide(game, c.Expire(), context())
    assert isinstance(expired[0], e.CardLaid)
    assert (expired[0].by, expired[1].type) == (By("away", 1), "turn.revealed")


def test_who_is_away_is_played_for_with_those_who_are_late() -> None:
    game = after(started(3, pace="blitz"), c.GoAway("p1"))
    assert decide(game, c.Expire(), context(seconds=14)) == ()
    expired, events = act(game, c.Expire(), context(seconds=15))
    assert [event.by.kind for event in events[:3]] == ["timeout", "away", "timeout"]
    assert [holder.timeouts for holder in expired.taken] == [1, 0, 1]


@pytest.mark.parametrize("limit", [1, 2, 3])
def test_who_was_late_so_many_times_in_a_row_is_away(limit: int) -> None:
    game, events = started(2, pace="blitz", away_after_timeouts=limit), tuple[e.Event, ...]()
    for time in range(1, limit + 1):
        assert not game.taken[0].away
        while game.phase != "lay_card":
            game = after(game, c.Expire(), seconds=15 * time)
        late = after(game, lay(game, 1, game.hands[1][0]), seconds=15 * time)
        game, events = act(late, c.Expire(), context(seconds=15 * time))
        assert events[0].by == By("timeout", 0)
    assert e.SeatAway(0, "timeouts", By("timeout", 0)) in events
    assert (game.taken[0].controller, game.taken[1].controller) == ("policy", "player")


def test_an_answer_in_time_ends_the_count() -> None:
    game = started(2, pace="blitz", auto_last_card=False)
    seconds = 0
    for turn in range(1, 7):
        if turn % 2:
            game = after(
                game,
                lay(game, 0, game.hands[0][0]),
                lay(game, 1, game.hands[1][0]),
                c.Advance(),
                seconds=seconds,
            )
        while game.turn == turn:
            seconds += 15
            game = after(game, c.Expire(), seconds=seconds)
    assert [holder.timeouts for holder in game.taken] >= [3, 3]
    assert not any(holder.away for holder in game.taken)


@pytest.mark.parametrize("limit", [None, 20])
def test_a_table_may_wait_for_who_is_late_each_time_again(limit: int | None) -> None:
    game = started(2, pace="blitz", away_after_timeouts=limit, end={"rounds": 1})
    seconds = 0
    while game.status == "playing":
        seconds += 15
        game = after(game, c.Expire(), seconds=seconds)
    assert not any(holder.away for holder in game.taken)


def test_whatever_an_absent_player_answers_is_a_return() -> None:
    away = after(started(3), c.GoAway("p0"))
    back = e.SeatReturned(0, By("player", 0))
    card = away.hands[0][3]
    assert decide(away, lay(away, 0, card), context()) == (back, e.CardLaid(0, card, By("player", 0)))
    assert decide(away, c.OpenVote("p0", "pause"), context())[0] == back
    voting = after(away, c.OpenVote("p1", "pause"))
    assert decide(voting, c.CastBallot("p0", 1, "no"), context())[0] == back
    game = after(away, lay(away, 0, card))
    assert game.taken[0].controller == "player"


def test_a_refused_answer_is_no_return() -> None:
    away = after(started(3), c.GoAway("p0"))
    assert refused(away, lay(away, 0, away.hands[1][0])).code == "card_not_in_hand"


def test_the_row_of_who_is_away_is_chosen_at_once() -> None:
    done = played(5, 2, pace="live")
    before = next(step.after for step in done if step.after.request)
    assert before.request is not None
    seat = before.request.seat
    away = after(before, c.GoAway(f"p{seat}"))
    (event, *_) = decide(away, c.Expire(), context(seconds=9))
    assert isinstance(event, e.RowChosen)
    assert event.by == By("away", seat)


def test_a_seat_that_is_given_up_is_played_by_a_house_bot_for_good() -> None:
    game, events = act(started(3), c.Resign("p1"), context())
    assert events == (e.SeatResigned(1, "lowest_risk", By("player", 1)),)
    shown = view(game, None, "")["seats"][1]
    assert (shown["controller"], shown["level"], shown["player"], shown["kind"]) == (
        "house",
        "lowest_risk",
        "p1",
        "human",
    )
    for command in (c.Resign("p1"), c.Return("p1"), c.GoAway("p1"), c.OpenVote("p1", "pause")):
        assert refused(game, command).code == "not_seated"
    (laid,) = decide(game, lay(game, 1, game.hands[1][0]), context())
    assert laid.by == By("house", 1)


def test_a_seat_that_is_given_up_while_away_is_not_away_any_more() -> None:
    game = after(started(3), c.GoAway("p1"), c.Resign("p1"))
    assert (game.taken[1].away, game.taken[1].late, game.taken[1].controller) == (False, 0, "house")


def test_a_house_bot_that_is_late_is_late_and_never_away() -> None:
    game = start(seat_all(after(lobby(pace="blitz"), c.SeatBot("p0", 1, "random"))))
    for seconds in (15, 30, 45, 60):
        game = after(game, c.Expire(), seconds=seconds)
    assert (game.taken[1].controller, game.taken[1].away) == ("house", False)
    assert game.taken[1].timeouts >= 2
    assert game.taken[0].away


def test_a_player_s_bot_comes_and_goes_like_a_person() -> None:
    game = start(seat_all(after(lobby(), c.JoinSeat("b0", "b", "bot", 0))))
    game, events = act(game, c.GoAway("b0"), context())
    assert events == (e.SeatAway(0, "asked", By("bot", 0)),)
    assert decide(game, lay(game, 0, game.hands[0][0]), context())[0] == e.SeatReturned(0, By("bot", 0))
    assert after(game, c.Resign("b0")).taken[0].controller == "house"


def test_nobody_leaves_a_seat_before_the_start_or_after_the_end_that_way() -> None:
    over = played(1, end={"rounds": 1})[-1].after
    for command in (c.GoAway("p0"), c.Return("p0"), c.Resign("p0")):
        assert refused(lobby(), command).code == "game_not_playing"
        assert refused(over, command).code == "game_over"
        assert refused(started(), type(command)("p9")).code == "not_seated"


def test_seats_whose_holders_have_all_said_so_are_played_for_at_once() -> None:
    game = after(started(2, pace="live", end={"rounds": 1}), c.GoAway("p0"), c.GoAway("p1"), seconds=5)
    while not game.is_over:
        assert next_deadline(game) in (START, later(5))
        game = after(game, c.Expire(), seconds=5)
    assert [holder.timeouts for holder in game.taken] == [0, 0]
