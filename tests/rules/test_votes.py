"""Votes: a yes of every seated person makes a table deal anew, give up, wait, go on, or replace a seat."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest

from engine import commands as c, events as e
from engine.agreements import COOL_DOWN_MS, MOST_VOTES, vote_ms
from engine.automatic import next_deadline
from engine.decide import act, decide
from engine.decisions import Key, current_decisions, open_decisions
from engine.game import Game
from engine.players import By
from engine.views import view
from tests.rules.table import (
    after,
    context,
    laid,
    later,
    lay,
    lobby,
    played,
    refused,
    seat_all,
    stacked,
    start,
    started,
)

LOW = stacked([(1, 60, *range(61, 69)), (50, 70, *range(71, 79))], (20, 30, 40, 45))
HOURS = 3600


def yes(vote: int, *players: str) -> list[c.CastBallot]:
    """A yes of each of these players."""
    return [c.CastBallot(player, vote, "yes") for player in players]


def paused(**options: Any) -> Game:
    """A game of two that has waited since ten seconds after its start."""
    return after(started(**options), c.OpenVote("p0", "pause"), *yes(1, "p1"), seconds=10)


def with_bots() -> Game:
    """A game of two people, a player's bot and a house bot."""
    game = after(lobby(4), c.SeatBot("p0", 2, "random"), c.JoinSeat("b3", "b", "bot", 3, accept_bots=True))
    return start(seat_all(game))


def test_whoever_opens_a_vote_has_said_yes() -> None:
    game, events = act(started(3), c.OpenVote("p1", "pause"), context(seconds=5))
    by = By("player", 1)
    assert events == (
        e.VoteOpened(1, "pause", 1, None, later(65), by),
        e.VoteCast(1, 1, "yes", by),
    )
    assert view(game, None, "")["vote"] == {
        "vote": 1,
        "kind": "pause",
        "seat": 1,
        "target": None,
        "voters": [0, 1, 2],
        "ballots": [None, "yes", None],
    }


def test_ballots_are_decisions_of_the_seated_people() -> None:
    game = after(with_bots(), c.OpenVote("p0", "pause"))
    ballots = [decision for decision in current_decisions(game) if decision.key.kind == "ballot"]
    assert [str(decision.key) for decision in ballots] == ["v1.s0.ballot", "v1.s1.ballot"]
    assert Key.parse("v1.s1.ballot") == ballots[1].key
    assert ballots[0].answer is not None
    assert ballots[1] in open_decisions(game)
    assert refused(game, c.OpenVote("b3", "redeal")).code == "not_a_voter"
    assert refused(game, c.CastBallot("b3", 1, "yes")).code == "not_a_voter"


def test_play_goes_on_while_a_vote_is_open() -> None:
    game = after(started(), c.OpenVote("p0", "pause"))
    game = laid(game, *(hand[0] for hand in game.hands))
    assert game.vote is not None
    assert (game.phase, game.turn) in {("lay_card", 2), ("choose_row", 1)}


def test_one_no_ends_a_vote_and_nobody_opens_another_for_a_minute() -> None:
    opened = after(started(3), c.OpenVote("p0", "redeal"))
    game, events = act(opened, c.CastBallot("p2", 1, "no"), context(seconds=5))
    until = later(5 + COOL_DOWN_MS / 1000)
    assert events[1] == e.VoteClosed(1, "redeal", False, "a_no", until, By("vote"))
    assert game.vote is None
    refusal = refused(game, c.OpenVote("p1", "pause"), seconds=64)
    assert (refusal.code, refusal.detail) == (
        "vote_too_soon",
        "The last vote failed; the next may be opened in 1000 ms.",
    )
    assert after(game, c.OpenVote("p1", "pause"), seconds=65).vote is not None


@pytest.mark.parametrize(("pace", "seconds"), [("blitz", 30), ("live", 60), ("untimed", 24 * HOURS)])
def test_silence_is_no(pace: str, seconds: int) -> None:
    game = after(started(3, pace=pace), c.OpenVote("p0", "abandon"), *yes(1, "p1"))
    assert vote_ms(game) == 1000 * seconds
    assert decide(game, c.Expire(), context(seconds=seconds - 0.001))[:1] != (
        e.VoteClosed(1, "abandon", False, "time_up", later(seconds + 60), By("timeout")),
    )
    assert game.vote is not None
    assert game.vote.deadline == later(seconds)
    assert next_deadline(game) == min(later(seconds), game.deadline or later(seconds))
    closed = decide(game, c.Expire(), context(seconds=seconds))[0]
    assert closed == e.VoteClosed(1, "abandon", False, "time_up", later(seconds + 60), By("timeout"))


def test_a_ballot_is_final_and_may_be_repeated() -> None:
    game = after(started(3), c.OpenVote("p0", "pause"), *yes(1, "p1"))
    assert decide(game, c.CastBallot("p1", 1, "yes"), context()) == ()
    assert refused(game, c.CastBallot("p1", 1, "no")).code == "already_answered"
    assert decide(game, c.OpenVote("p0", "pause"), context()) == ()
    assert refused(game, c.OpenVote("p1", "pause")).code == "vote_open"
    closed = after(game, *yes(1, "p2"))
    assert refused(closed, c.CastBallot("p1", 1, "yes")).code == "decision_closed"
    assert refused(closed, c.CastBallot("p1", 2, "yes")).code == "decision_not_open"


def test_a_table_may_be_opened_without_votes_and_votes_without_end_there_are_none() -> None:
    assert refused(started(votes=False), c.OpenVote("p0", "pause")).code == "votes_off"
    game = replace(started(), votes=MOST_VOTES - 1)
    assert after(game, c.OpenVote("p0", "pause")).votes == MOST_VOTES
    assert refused(replace(game, votes=MOST_VOTES), c.OpenVote("p0", "pause")).code == "too_many_votes"


def test_nobody_votes_before_the_start_or_after_the_end_or_without_a_seat() -> None:
    assert refused(lobby(), c.OpenVote("p0", "pause")).code == "game_not_playing"
    over = played(1, end={"rounds": 1})[-1].after
    assert refused(over, c.OpenVote("p0", "pause")).code == "game_over"
    assert refused(started(), c.OpenVote("p9", "pause")).code == "not_seated"


@pytest.mark.parametrize(
    ("command", "code", "pointer"),
    [
        (c.OpenVote("p0", "resume"), "vote_not_possible", "/kind"),
        (c.OpenVote("p0", "replace"), "vote_not_possible", "/seat"),
        (c.OpenVote("p0", "pause", 1), "vote_not_possible", "/seat"),
        (c.OpenVote("p0", "replace", 0), "vote_not_possible", "/seat"),
        (c.OpenVote("p0", "replace", 2), "vote_not_possible", "/seat"),
        (c.OpenVote("p0", "replace", 4), "seat_out_of_range", "/seat"),
        (c.OpenVote("p0", "replace", -1), "seat_out_of_range", "/seat"),
    ],
)
def test_what_cannot_be_voted_on_is_refused(command: c.OpenVote, code: str, pointer: str) -> None:
    refusal = refused(with_bots(), command)
    assert (refusal.code, refusal.pointers) == (code, (pointer,))


def test_nobody_puts_another_out_alone_who_comes() -> None:
    ask = c.OpenVote("p0", "replace", 1)
    game = started(pace="untimed")
    refusal = refused(game, ask, seconds=24 * HOURS - 1)
    assert (refusal.code, refusal.pointers) == ("vote_not_possible", ("/seat",))
    assert "can only be replaced once it is away or has been waited for for a day" in refusal.detail
    assert after(game, ask, seconds=24 * HOURS).actor(1).kind == "house"
    assert after(game, c.GoAway("p1"), ask).actor(1).kind == "house"
    has_answered = after(game, lay(game, 1, game.hands[1][0]))
    assert refused(has_answered, ask, seconds=24 * HOURS).code == "vote_not_possible"


@pytest.mark.parametrize("gone", ["p0", "p1"])
def test_a_vote_that_only_one_is_left_to_decide_puts_nobody_out_who_comes(gone: str) -> None:
    game = after(started(3), c.OpenVote("p0", "replace", 2))
    game, events = act(game, c.Resign(gone), context())
    assert [event.type for event in events] == ["seat.resigned", "vote.closed"]
    assert getattr(events[-1], "reason", None) == "moot"
    away = after(started(3), c.GoAway("p2"), c.OpenVote("p0", "replace", 2), c.Resign("p1"))
    assert away.actor(2).kind == "house"


def test_a_pause_can_be_ended_however_many_votes_there_were() -> None:
    game = after(replace(paused(), votes=MOST_VOTES), c.OpenVote("p0", "resume"), seconds=20)
    game = after(game, *yes(game.votes, "p1"), seconds=20)
    assert (game.status, game.votes) == ("playing", MOST_VOTES + 1)


@pytest.mark.parametrize("target", [2, 3])
def test_a_bot_is_replaced_by_all_people_and_not_by_one_alone(target: int) -> None:
    game = after(lobby(4), *(c.JoinSeat(f"b{seat}", "b", "bot", seat, accept_bots=True) for seat in (2, 3)))
    game = start(seat_all(game))
    ask = c.OpenVote("p0", "replace", target)
    assert after(game, ask, *yes(1, "p1")).actor(target).kind == "house"
    alone = after(game, c.Resign("p1"))
    assert refused(alone, ask).code == "vote_not_possible"


@pytest.mark.parametrize("kind", ["pause", "redeal"])
def test_a_game_that_waits_is_neither_paused_again_nor_dealt_anew(kind: Any) -> None:
    assert refused(paused(), c.OpenVote("p0", kind), seconds=20).code == "vote_not_possible"


def test_those_who_leave_are_not_waited_for() -> None:
    game = after(started(3), c.OpenVote("p0", "pause"), *yes(1, "p1"))
    game, events = act(game, c.Resign("p2"), context())
    assert [event.type for event in events] == ["seat.resigned", "vote.closed", "game.paused"]
    alone = after(started(), c.OpenVote("p0", "pause"), c.Resign("p0"))
    assert after(alone, c.Resign("p1")).vote is None
    _, closed = act(alone, c.Resign("p1"), context())
    assert [getattr(event, "reason", None) for event in closed] == [None, "moot"]


def test_a_vote_of_one_person_is_decided_at_once() -> None:
    game = start(seat_all(after(lobby(), c.SeatBot("p0", 1, "random"))))
    game, events = act(game, c.OpenVote("p0", "redeal"), context())
    assert [event.type for event in events][:4] == [
        "vote.opened",
        "vote.cast",
        "vote.closed",
        "round.voided",
    ]
    assert game.attempt == 1


def test_a_vote_that_is_open_when_the_game_ends_is_moot() -> None:
    for kind, target in (("abandon", None), ("pause", None), ("replace", 1), ("redeal", None)):
        done = played(3, 3, end={"rounds": 1}, auto_last_card=False)
        answer, ending = done[-2:]
        voting = after(answer.before, c.OpenVote("p0", kind, target), answer.command)  # type: ignore[arg-type]  # mypy takes such words for any string
        game, events = act(voting, ending.command, context(seconds=99))
        closed = [event for event in events if isinstance(event, e.VoteClosed)]
        assert [event.reason for event in closed] == ["moot"]
        assert (game.vote, game.phase) == (None, "over")
