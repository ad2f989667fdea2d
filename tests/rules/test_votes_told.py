"""The votes of a game as its log tells them afterwards: who was asked, who said what, how each ended."""

from __future__ import annotations

from hypothesis import given, strategies as st

from engine import commands as c, events as e
from engine.chance import Context
from engine.decide import act
from engine.game import Game
from engine.votes import BallotCast, VoteTold, votes
from tests.rules.lively import lively
from tests.rules.table import FAIR, START, Step, later, logged, seated
from tests.searching import examples


def told(*moves: tuple[float, c.Command], seats: int = 3) -> tuple[VoteTold, ...]:
    """The votes of a game of people in which these commands come so many seconds after the start."""
    game: Game = seated(seats)
    done: list[Step] = []
    for seconds, command in ((0, c.StartGame("p0")), *moves):
        after, events = act(game, command, Context(later(seconds), FAIR))
        done.append(Step(game, command, events, after, later(seconds)))
        game = after
    return votes(logged(done))


def test_a_game_without_votes_has_none() -> None:
    assert told() == ()


def test_an_open_vote_says_who_is_asked_and_who_has_spoken() -> None:
    (vote,) = told((5, c.OpenVote("p1", "redeal")), (7, c.CastBallot("p0", 1, "yes")))
    assert vote == VoteTold(
        vote=1,
        kind="redeal",
        seat=1,
        target=None,
        opened_at=later(5),
        deadline=later(65),
        voters=(0, 1, 2),
        ballots=(BallotCast(0, "yes", later(7)), BallotCast(1, "yes", later(5))),
    )


def test_a_vote_that_is_over_says_how_it_ended_and_when() -> None:
    first, second = told(
        (5, c.OpenVote("p0", "replace", 2)),
        (6, c.CastBallot("p1", 1, "yes")),
        (8, c.OpenVote("p1", "pause")),
        (9, c.CastBallot("p0", 2, "no")),
    )
    assert (first.target, first.voters, first.result, first.reason) == (2, (0, 1), "passed", "all_yes")
    assert first.closed_at == later(6)
    assert (second.voters, second.result, second.reason) == ((0, 1), "failed", "a_no")
    assert second.ballots == (BallotCast(0, "no", later(9)), BallotCast(1, "yes", later(8)))


def test_whoever_gives_its_seat_up_is_asked_no_more() -> None:
    (vote,) = told((5, c.OpenVote("p0", "abandon")), (6, c.Resign("p1")), (7, c.CastBallot("p2", 1, "yes")))
    assert (vote.voters, vote.result) == ((0, 2), "passed")


def test_a_vote_whose_time_is_up_has_no_more_ballots() -> None:
    (vote,) = told((5, c.OpenVote("p0", "abandon")), (70, c.Expire()))
    assert (vote.result, vote.reason, vote.closed_at) == ("failed", "time_up", later(70))
    assert [cast.seat for cast in vote.ballots] == [0]


@examples(30)
@given(st.integers(0, 300))
def test_votes_are_numbered_and_only_the_last_can_be_open(seed: int) -> None:
    done = lively(seed, 3, end={"rounds": 1}, pace="bot")
    found = votes(logged(done))
    closed = [event for step in done for event in step.events if isinstance(event, e.VoteClosed)]
    assert [vote.vote for vote in found] == list(range(1, len(found) + 1))
    assert [(vote.vote, vote.result == "passed", vote.reason) for vote in found if vote.result != "open"] == [
        (event.vote, event.passed, event.reason) for event in closed
    ]
    assert all(vote.result != "open" for vote in found[:-1])
    for vote in found:
        assert vote.opened_at >= START
        if vote.result == "passed":
            assert [cast.seat for cast in vote.ballots] == [*vote.voters]
            assert {cast.choice for cast in vote.ballots} == {"yes"}
