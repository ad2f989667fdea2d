"""What a table agrees on happens: it deals anew, gives up, waits, goes on, or replaces a seat by a house bot."""

from __future__ import annotations

from itertools import pairwise
from typing import Any

from engine import commands as c, events as e
from engine.agreements import LONGEST_PAUSE_MS
from engine.automatic import next_deadline
from engine.decide import act, decide
from engine.decisions import open_decisions
from engine.game import Game
from engine.players import By
from tests.rules.table import (
    after,
    context,
    laid,
    later,
    lay,
    played,
    refused,
    stacked,
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


def test_a_round_is_dealt_anew_and_its_hands_are_opened() -> None:
    game = after(started(), lay(started(), 0, started().hands[0][0]))
    hands = game.hands
    game, events = act(
        after(game, c.OpenVote("p0", "redeal")), c.CastBallot("p1", 1, "yes"), context(seconds=3)
    )
    kinds = [event.type for event in events]
    assert kinds == [
        "vote.cast",
        "vote.closed",
        "round.voided",
        "round.revealed",
        "round.started",
        "round.dealt",
        "turn.opened",
    ]
    revealed = next(event for event in events if isinstance(event, e.RoundRevealed))
    opened = [opening.data for opening in revealed.openings]
    assert opened == [*map(e.HandPart, hands), e.CardPart(hands[0][0])]
    assert (game.round, game.attempt, game.turn) == (1, 1, 1)
    assert game.hands != hands
    assert str(open_decisions(game)[0].key) == "r1a1.t1.s0.card"
    assert refused(game, c.LayCard(0, 1, 1, hands[0][0])).code == "decision_closed"


def test_nothing_of_a_round_that_was_dealt_anew_counts() -> None:
    done = played(2, 2, end={"rounds": 2})
    game = next(step.after for step in done if step.after.round == 2 and any(step.after.piles))
    again = after(game, c.OpenVote("p0", "redeal"), *yes(1, "p1"))
    assert (again.round, again.attempt, again.totals) == (2, 1, game.totals)
    assert not any(again.piles)


def test_a_choice_that_is_asked_for_vanishes_with_its_round() -> None:
    game = laid(started(chance=LOW, pace="blitz"), 1, 50, chance=LOW)
    assert game.request is not None
    game = after(game, c.OpenVote("p0", "redeal"), *yes(1, "p1"), chance=LOW)
    assert (game.request, game.queue, game.phase) == (None, (), "lay_card")


def test_a_vote_to_deal_anew_is_moot_once_the_round_is_over() -> None:
    done = played(2, 2, end={"rounds": 2}, auto_last_card=False)
    answer, ending = next(pair for pair in pairwise(done) if pair[1].after.round == 2)
    voting = after(answer.before, c.OpenVote("p0", "redeal"), answer.command)
    game, events = act(voting, ending.command, context(seconds=9))
    assert e.VoteClosed(1, "redeal", False, "moot", later(9), By("vote")) in events
    assert (game.round, game.attempt, game.vote) == (2, 0, None)


def test_no_round_is_dealt_anew_between_the_cards_of_an_open_table_s_turn_only() -> None:
    game = started(learning_rounds=1)
    game = after(game, lay(game, 0, game.hands[0][0]))
    assert game.phase == "call"
    game = after(game, c.OpenVote("p0", "redeal"), *yes(1, "p1"))
    assert (game.attempt, game.table, game.called) == (1, "open", 0)


def test_a_table_gives_a_game_up_together() -> None:
    game = after(started(3), c.OpenVote("p0", "abandon"), *yes(1, "p1"))
    game, events = act(game, c.CastBallot("p2", 1, "yes"), context())
    assert [event.type for event in events] == ["vote.cast", "vote.closed", "game.abandoned", "game.sealed"]
    assert events[2] == e.GameAbandoned("vote", By("vote"))
    assert (game.status, game.standings, open_decisions(game)) == ("abandoned", (), ())
    assert next_deadline(game) is None


def test_nothing_is_owed_while_a_game_waits_and_no_time_runs() -> None:
    game = paused(pace="blitz")
    assert (game.status, open_decisions(game)) == ("paused", ())
    assert refused(game, lay(game, 0, game.hands[0][0])).code == "game_paused"
    assert decide(game, c.Expire(), context(seconds=23 * HOURS)) == ()
    assert decide(game, c.Advance(), context(seconds=23 * HOURS)) == ()
    assert next_deadline(game) == game.paused_until == later(10 + LONGEST_PAUSE_MS / 1000)


def test_a_game_goes_on_with_as_much_time_as_it_had() -> None:
    game = after(paused(pace="blitz"), c.OpenVote("p1", "resume"), seconds=HOURS)
    game, events = act(game, c.CastBallot("p0", 2, "yes"), context(seconds=HOURS + 10))
    assert events[-1] == e.GameResumed(By("vote"))
    assert (game.status, game.deadline) == ("playing", later(15 + HOURS))


def test_a_row_that_is_asked_for_has_as_much_time_as_it_had() -> None:
    game = laid(started(chance=LOW, pace="blitz"), 1, 50, chance=LOW)
    game = after(game, c.OpenVote("p0", "pause"), *yes(1, "p1"), chance=LOW, seconds=2)
    game = after(game, c.OpenVote("p0", "resume"), *yes(2, "p1"), chance=LOW, seconds=HOURS)
    assert game.request is not None
    assert game.request.deadline == later(10 + HOURS - 2)


def test_a_pause_is_no_waiting_for_anybody() -> None:
    ask = c.OpenVote("p0", "replace", 1)
    game = after(paused(pace="untimed"), c.Expire(), seconds=24 * HOURS + 10)
    assert game.status == "playing"
    assert refused(game, ask, seconds=48 * HOURS - 1).code == "vote_not_possible"
    assert after(game, ask, seconds=48 * HOURS).actor(1).kind == "house"


def test_a_table_without_time_limits_goes_on_without_them() -> None:
    game = paused(pace="untimed")
    game = after(game, c.OpenVote("p0", "resume"), *yes(2, "p1"), seconds=HOURS)
    assert (game.status, game.deadline) == ("playing", None)


def test_a_pause_ends_by_itself_after_a_day() -> None:
    game = after(paused(), c.OpenVote("p0", "resume"), seconds=24 * HOURS)
    assert decide(game, c.Expire(), context(seconds=24 * HOURS + 9.999)) == ()
    game, events = act(game, c.Expire(), context(seconds=24 * HOURS + 10))
    assert events == (
        e.GameResumed(By("timeout")),
        e.VoteClosed(2, "resume", False, "moot", later(24 * HOURS + 10), By("vote")),
    )
    assert game.status == "playing"


def test_a_pause_ends_when_nobody_is_left_who_could_agree_to_go_on() -> None:
    game = after(paused(pace="blitz"), c.Resign("p0"), seconds=HOURS)
    assert next_deadline(game) == game.paused_until
    game = after(game, c.Resign("p1"), seconds=HOURS)
    assert (game.status, next_deadline(game)) == ("paused", later(HOURS))
    game, events = act(game, c.Expire(), context(seconds=HOURS + 1))
    assert (game.status, events) == ("playing", (e.GameResumed(By("timeout")),))


def test_a_vote_s_time_runs_on_while_a_game_waits() -> None:
    game = after(paused(pace="blitz"), c.OpenVote("p0", "resume"), seconds=20)
    (closed,) = decide(game, c.Expire(), context(seconds=50))
    assert closed == e.VoteClosed(2, "resume", False, "time_up", later(110), By("timeout"))


def test_a_house_bot_replaces_a_seat_without_its_word() -> None:
    game = after(started(3), c.OpenVote("p0", "replace", 2))
    assert refused(game, c.CastBallot("p2", 1, "no")).code == "not_a_voter"
    game, events = act(game, c.CastBallot("p1", 1, "yes"), context())
    assert events[-1] == e.SeatReplaced(2, "lowest_risk", 1, By("vote"))
    assert game.taken[2].controller == "house"
    assert (game.seat_of("p2"), game.actor(2)) == (None, By("house", 2))
    assert refused(game, c.OpenVote("p2", "pause")).code == "not_seated"
    assert refused(game, c.OpenVote("p0", "replace", 2)).code == "vote_not_possible"


def test_a_vote_to_replace_is_moot_once_the_seat_is_given_up() -> None:
    game = after(started(3), c.OpenVote("p0", "replace", 2))
    _, events = act(game, c.Resign("p2"), context())
    assert [event.type for event in events] == ["seat.resigned", "vote.closed"]
    assert isinstance(events[1], e.VoteClosed)
    assert events[1].reason == "moot"
