"""Logs that lie about votes, absences, drafts and learning rounds, written anew with all their hashes."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Any, Final, TypeAlias

import pytest

from engine import commands as c, events as e
from engine.log import Envelope
from engine.players import By
from engine.times import Millis
from engine.verify import verify_log
from tests.rules.retold import Moment, check_of, found, moments, retold, told
from tests.rules.table import later, started

Timed: TypeAlias = tuple[float, c.Command]

GAME: Final = started(3)
CARDS: Final = [hand[0] for hand in GAME.hands]


def people(count: int) -> list[Timed]:
    """So many sit down and begin."""
    joins = [c.JoinSeat(f"p{seat}", f"name {seat}", "human", seat) for seat in range(count)]
    return [*((0, join) for join in joins), (0, c.StartGame("p0"))]


def agreed(second: float, vote: int, kind: Any, target: int | None, *players: str) -> list[Timed]:
    """A vote that the first of these players opens and the others say yes to, a second each."""
    first, *others = players
    said: list[c.Command] = [c.OpenVote(first, kind, target)]
    said += [c.CastBallot(player, vote, "yes") for player in others]
    return [(second + step, command) for step, command in enumerate(said)]


VOTES: Final = told(
    [
        *people(3),
        (1, c.LayCard(0, 1, 1, CARDS[0])),
        *agreed(2, 1, "redeal", None, "p0", "p1", "p2"),
        *agreed(5, 2, "pause", None, "p0", "p1", "p2"),
        *agreed(100, 3, "resume", None, "p1", "p0", "p2"),
        *agreed(103, 4, "replace", 2, "p0", "p1"),
        (105, c.OpenVote("p0", "redeal")),
        (106, c.CastBallot("p1", 5, "no")),
        (200, c.OpenVote("p0", "abandon")),
        (201, c.CastBallot("p1", 6, "yes")),
    ],
    seats=3,
    pace="untimed",
)
"""A game of three people in which every kind of vote is held, and one fails."""

ABSENCES: Final = told(
    [
        *people(3),
        (1, c.GoAway("p2")),
        (2, c.LayCard(2, 1, 1, CARDS[2])),
        (3, c.GoAway("p2")),
        (15, c.Expire()),
        (16, c.Return("p0")),
        (17, c.Resign("p1")),
        (18, c.Resign("p2")),
        *agreed(19, 1, "abandon", None, "p0"),
    ],
    seats=3,
    pace="blitz",
    away_after_timeouts=1,
)
"""A game of three people who step away, come back, are late, and give their seats up."""

DRAFT: Final = told(
    [
        *people(2),
        (1, c.PlanPicks(1, 1, 2, (5, 6))),
        (2, c.Pick(0, 1, 1, 9)),
        (2, c.Advance()),
        (3, c.Pick(0, 1, 3, 10)),
        (4, c.PlanPicks(1, 1, 4, (6,))),
        (99, c.Expire()),
        (199, c.Expire()),
        *agreed(200, 1, "abandon", None, "p0", "p1"),
    ],
    ruleset="pro",
    pace="blitz",
    away_after_timeouts=None,
)
"""A draft of two of whom one has a plan, and both are late once."""

LEARNING: Final = told(
    [
        *people(2),
        (1, c.LayCard(0, 1, 1, started(2).hands[0][0])),
        (1, c.Advance()),
        (2, c.LayCard(1, 1, 1, started(2).hands[1][0])),
        (2, c.Advance()),
        (3, c.ChooseRow(0, 1, 1, 0)),
        (3, c.Advance()),
        *agreed(9, 1, "abandon", None, "p0", "p1"),
    ],
    learning_rounds=1,
)
"""The first turn of a learning round."""

LOGS: Final = {"votes": VOTES, "absences": ABSENCES, "draft": DRAFT, "learning": LEARNING}

Find: TypeAlias = Callable[[e.Event], bool]


def of(kind: type[e.Event], **fields: Any) -> Find:
    """Whether an event is of a kind and has these fields."""
    return lambda event: (
        isinstance(event, kind) and all(getattr(event, name) == value for name, value in fields.items())
    )


def place_of(events: Sequence[Moment], find: Find) -> int:
    """Where the first such event stands, from 0."""
    return next(place for place, (event, _) in enumerate(events) if find(event))


def changed(find: Find, at: float | None = None, **fields: Any) -> Callable[[list[Moment]], int]:
    """A lie that alters an event, and perhaps its moment; gives the seq at which it is found."""

    def lie(events: list[Moment]) -> int:
        place = place_of(events, find)
        event, moment = events[place]
        events[place] = replace(event, **fields), moment if at is None else later(at)
        return place + 1

    return lie


def left_out(find: Find, count: int = 1) -> Callable[[list[Moment]], int]:
    """A lie that leaves out so many events from one on; what stands there then is found."""

    def lie(events: list[Moment]) -> int:
        place = place_of(events, find)
        del events[place : place + count]
        return place + 1

    return lie


def put_in(find: Find, *lies: e.Event, later_ms: int = 0) -> Callable[[list[Moment]], int]:
    """A lie that puts events behind another one; the first of them is found."""

    def lie(events: list[Moment]) -> int:
        place = place_of(events, find)
        moment = Millis(events[place][1] + later_ms)
        events[place + 1 : place + 1] = [(event, moment) for event in lies]
        return place + 2

    return lie


LIES: Final[dict[str, dict[str, Callable[[list[Moment]], int]]]] = {
    "votes": {
        "a vote that passed though somebody was silent": left_out(of(e.VoteCast, vote=1, seat=2)),
        "a vote that passed though somebody said no": changed(of(e.VoteClosed, vote=5), passed=True),
        "a vote that failed though nobody said no": changed(
            of(e.VoteClosed, vote=1), reason="a_no", passed=False
        ),
        "a round that is dealt anew without a vote": left_out(of(e.VoteOpened, vote=1), 5),
        "a pause without a vote": left_out(of(e.VoteOpened, vote=2), 5),
        "an end without a vote": left_out(of(e.VoteOpened, vote=6), 4),
        "a vote that passed and has no effect": left_out(of(e.RoundVoided)),
        "the effect of another vote": changed(of(e.RoundVoided), vote=2),
        "a yes of somebody who is not asked": put_in(
            of(e.VoteCast, vote=4, seat=0), e.VoteCast(4, 2, "yes", By("player", 2))
        ),
        "a yes for somebody else": changed(of(e.VoteCast, vote=1, seat=1), by=By("player", 2)),
        "a yes to another vote": changed(of(e.VoteCast, vote=2, seat=1), vote=1),
        "a ballot that is cast again": put_in(
            of(e.VoteCast, vote=1, seat=1), e.VoteCast(1, 1, "no", By("player", 1))
        ),
        "an opener who has not said yes": changed(of(e.VoteCast, vote=1, seat=0), choice="no"),
        "another number of a vote": changed(of(e.VoteOpened, vote=2), vote=3),
        "a vote that is open for longer": changed(of(e.VoteOpened, vote=1), deadline=later(10**6)),
        "a vote opened by somebody else": changed(of(e.VoteOpened, vote=1), seat=1),
        "another seat to be replaced": changed(of(e.SeatReplaced), seat=1),
        "a replacement that plays otherwise": changed(of(e.SeatReplaced), level="random"),
        "a second vote while one is open": put_in(
            of(e.VoteCast, vote=1, seat=0),
            e.VoteOpened(2, "pause", 1, None, later(2 + 24 * 3600), By("player", 1)),
        ),
        "a vote too soon after one that failed": changed(
            of(e.VoteOpened, vote=6), at=107, deadline=later(107 + 24 * 3600)
        ),
        "no wait after a vote that failed": changed(of(e.VoteClosed, vote=5), next_vote_at=later(106)),
        "a pause that lasts longer": changed(of(e.GamePaused), until=later(10**6)),
        "a pause that ends too early": put_in(of(e.GamePaused), e.GameResumed(By("timeout")), later_ms=1000),
        "a card while the game is paused": put_in(
            of(e.GamePaused), e.CardLaid(0, CARDS[0], By("player", 0)), later_ms=1000
        ),
        "a round dealt anew as the same attempt": changed(of(e.RoundStarted, attempt=1), attempt=0),
        "a void round whose hands stay shut": changed(of(e.RoundRevealed), openings=()),
        "a card of the void round that stays shut": changed(
            of(e.RoundRevealed),
            openings=next(one for one, _ in moments(VOTES) if isinstance(one, e.RoundRevealed)).openings[:3],
        ),
        "another reason for the end": changed(of(e.GameAbandoned), reason="host_closed"),
        "an end by the host": changed(of(e.GameAbandoned), by=By("host")),
    },
    "absences": {
        "an absence of somebody who was not late": put_in(
            of(e.TurnOpened), e.SeatAway(0, "timeouts", By("timeout", 0)), later_ms=500
        ),
        "an absence that nobody asked for": changed(of(e.SeatAway, why="asked"), by=By("timeout", 2)),
        "an absence for another reason": changed(of(e.SeatAway, why="timeouts"), why="asked"),
        "an absence that is not told": left_out(of(e.SeatAway, why="timeouts")),
        "an answer of somebody who is away": left_out(of(e.SeatReturned)),
        "a return of somebody who is not away": put_in(of(e.CardLaid), e.SeatReturned(0, By("player", 0))),
        "an absence of somebody who is away": put_in(
            of(e.SeatAway, why="asked"), e.SeatAway(2, "asked", By("player", 2))
        ),
        "a card laid for somebody who is there": changed(of(e.CardLaid, seat=0), by=By("away", 0)),
        "a card laid for who is away by itself": changed(of(e.CardLaid, seat=2), by=By("away", 2)),
        "somebody else gives a seat up": changed(of(e.SeatResigned, seat=1), by=By("player", 0)),
        "a house bot of another level plays on": changed(of(e.SeatResigned, seat=1), level="random"),
        "a seat that is given up twice": put_in(
            of(e.SeatResigned, seat=1), e.SeatResigned(1, "lowest_risk", By("player", 1))
        ),
        "a seat that is given up by nobody": changed(of(e.SeatResigned, seat=1), seat=7),
    },
    "draft": {
        "a pick out of turn": changed(of(e.DraftPicked, seat=0), seat=1, by=By("player", 1)),
        "a pick by somebody else": changed(of(e.DraftPicked, seat=0), by=By("player", 1)),
        "a card that is not in the deck": changed(of(e.DraftPicked, card=9), card=25),
        "a card that was picked before": changed(of(e.DraftPicked, card=10), card=9),
        "a plan that the service passes over": changed(
            of(e.DraftPicked, card=6), card=20, by=By("timeout", 1)
        ),
        "a pick for somebody who has time": changed(of(e.DraftPicked, card=10), by=By("timeout", 0)),
        "a pick that has longer": changed(of(e.DraftPicked, card=9), deadline=later(999)),
        "a draft that has longer": changed(of(e.DraftOpened), deadline=later(999)),
        "another first drafter": changed(of(e.DraftOpened), order=(1, 0)),
        "a smaller deck": changed(of(e.DraftOpened), cards=tuple(range(1, 24))),
        "a plan for another seat": changed(of(e.DraftPlanned), by=By("player", 0)),
        "a plan of a seat that is not there": changed(of(e.DraftPlanned), seat=4),
        "a plan of nothing": changed(of(e.DraftPlanned), plan=()),
        "a plan with a card twice": changed(of(e.DraftPlanned), plan=(5, 5)),
        "a plan that stands already": put_in(of(e.DraftPlanned), e.DraftPlanned(1, (5, 6), By("player", 1))),
        "a draft that is over too early": put_in(
            of(e.DraftPicked), e.DraftClosed(((9,), ()), ((1,), (2,), (3,), (4,)))
        ),
    },
    "learning": {
        "an explanation that is missing": left_out(of(e.CardExplained)),
        "an explanation that says something else": changed(of(e.CardExplained), sentence="It goes there."),
        "an explanation with another code": changed(of(e.CardExplained), code="row_full"),
        "an explanation with other rows": changed(of(e.CardExplained), lower=(0, 1, 2, 3)),
        "a card out of the order of the seats": changed(of(e.SeatCalled), seat=1),
        "a call that has longer": changed(of(e.SeatCalled), deadline=later(999)),
        "a card of a seat that is not called": changed(of(e.CardLaid), seat=1, by=By("player", 1)),
        "a card that is laid face down": changed(of(e.CardLaid), table="hidden"),
        "a round that would count": changed(of(e.RoundStarted), table="hidden"),
        "hands that would be hidden": changed(of(e.RoundDealt), table="hidden"),
        "a turn with a deadline for all": changed(of(e.TurnOpened), deadline=later(60)),
    },
}


@pytest.mark.parametrize("name", LOGS)
def test_the_tables_are_honest(name: str) -> None:
    assert verify_log(LOGS[name]).outcome == "ok"


@pytest.mark.parametrize(("name", "lie"), [(name, lie) for name, lies in LIES.items() for lie in lies])
def test_a_lie_is_found_where_it_stands(name: str, lie: str) -> None:
    events = moments(LOGS[name])
    seq = LIES[name][lie](events)
    report = verify_log(retold(events))
    assert found(report).get("rules") == seq, check_of(report, "rules")


def test_every_event_beside_the_play_is_lied_about_here() -> None:
    told_of = {envelope["type"] for log in LOGS.values() for envelope in log}
    beside = {kind for kind in e.EVENTS if kind.split(".")[0] in ("vote", "draft")} - {"draft.closed"}
    assert beside | {"seat.away", "seat.returned", "seat.resigned", "seat.replaced"} <= told_of
    assert {"round.voided", "game.paused", "game.resumed", "seat.called", "card.explained"} <= told_of


def shut(log: list[Envelope], kind: str) -> list[Envelope]:
    """The log as somebody keeps it who has dropped the openings of a type."""
    return [one | {"open": {}} if one["type"] == kind else one for one in log]


def test_what_later_events_open_need_not_be_kept_open() -> None:
    assert (
        verify_log(shut(VOTES, "round.dealt")).outcome == "failed"
    )  # of the second attempt, which nobody opened
    assert verify_log(shut(VOTES, "card.laid")).outcome == "ok"
