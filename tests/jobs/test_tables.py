"""What workers and clock do for tables of every rule set: bots draft and learn, votes end, the absent are played for."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest

from engine import commands as c
from engine.agreements import LONGEST_PAUSE_MS
from engine.decisions import Decision, open_decisions
from engine.game import Game
from engine.rulesets import RULESETS
from engine.times import Millis
from engine.verify import verify_log
from service.store.contract import GameStore, Kind
from service.store.moments import now
from service.store.play import Play
from tests.jobs.conftest import Wakes
from worker.bots import BOTS, Bot, play_bots
from worker.clock import AGAIN_MS, sweep
from worker.turns import advance

Open = Callable[..., Game]

TABLES: dict[str, dict[str, Any]] = {
    **{name: {"ruleset": name} for name in RULESETS},
    "learning": {"learning_rounds": 1},
    "rotating": {"ruleset": "pro", "rotate_drafter": True, "end": {"rounds": 2}},
    "ahead": {"row_policy": "fewest_bullheads"},
    "hands shut": {"ruleset": "jokers", "reveal": "game"},
}
"""A table of each kind, by a name."""


class Jobs:
    """A queue whose jobs nobody does."""

    def __init__(self) -> None:
        self.sent: list[tuple[Kind, str]] = []

    def wake(self, kind: Kind, game: str) -> None:
        self.sent.append((kind, game))

    def waiting(self, kind: Kind) -> int:
        return 0


def answered(play: Play, decision: Decision) -> None:
    """Answer a decision of a person: the first card, or the first row."""
    key = decision.key
    moment = key.seat, key.round, key.number
    command: c.Command = c.ChooseRow(*moment, 0, decision.rows[0][-1] if decision.rows else None, key.attempt)
    if key.kind == "card":
        command = c.LayCard(*moment, decision.cards[0], key.attempt)
    if key.kind == "pick":
        command = c.Pick(*moment, decision.cards[0], key.attempt)
    play.execute("g_1", command)


def later(play: Play, ms: int) -> Millis:
    """Let time pass for the game, and return the moment."""
    moment = Millis(play.live("g_1").game.at + ms)
    play.clock = lambda: moment
    return moment


@pytest.mark.parametrize("name", sorted(TABLES))
def test_a_table_of_people_and_bots_plays_to_its_end(play: Play, opened: Open, name: str) -> None:
    game = opened(seats=3, bots={1: "random", 2: "lowest_risk"}, **{"end": {"rounds": 1}, **TABLES[name]})
    while (game := play.live("g_1").game).is_running:
        seq = game.seq
        play_bots(play, "g_1")
        for decision in open_decisions(play.live("g_1").game):
            answered(play, decision)
        advance(play, "g_1")
        assert play.live("g_1").game.seq > seq, "the game is stuck"
    log = play.log("g_1")
    by = {envelope["by"]["kind"] for envelope in log if envelope["type"] in ("card.laid", "draft.picked")}
    assert {"player", "house"} <= by <= {"player", "house", "policy"}
    assert verify_log(log).outcome == "ok"


@pytest.mark.parametrize("name", sorted(TABLES))
def test_a_table_of_bots_is_played_by_the_clock_alone(store: GameStore, opened: Open, name: str) -> None:
    """Every wake-up is lost, and a job that was sent is done only sometimes."""
    opened(seats=3, bots=dict.fromkeys(range(3), "random"), **{"end": {"rounds": 1}, **TABLES[name]})
    worker, jobs, moment, done = Play(store, Wakes()), Jobs(), int(now()), 0
    while worker.live("g_1").game.is_running:
        moment += AGAIN_MS
        jobs.sent.clear()
        sweep(store, jobs, moment)
        assert jobs.sent, "the game is stuck"
        for kind, game in jobs.sent:
            done += 1
            if done % 3:
                (advance if kind == "turns" else play_bots)(worker, game)
    assert verify_log(worker.log("g_1")).outcome == "ok"


def test_a_bot_drafts_in_its_turn_and_a_broken_one_is_drafted_for(
    play: Play, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fails(*_: Any) -> Any:
        raise RuntimeError("a bot with a mistake in it")

    monkeypatch.setitem(BOTS, "random", Bot(fails, fails, fails))
    opened(ruleset="pro", seats=2, bots={1: "random"})
    play_bots(play, "g_1")
    assert play.live("g_1").game.picks == 0
    answered(play, open_decisions(play.live("g_1").game)[0])
    play_bots(play, "g_1")
    picked = [envelope for envelope in play.log("g_1") if envelope["type"] == "draft.picked"]
    assert [(one["data"]["seat"], one["by"]["kind"]) for one in picked] == [(0, "player"), (1, "policy")]


def test_a_bot_at_an_open_table_lays_when_it_is_called(play: Play, wakes: Wakes, opened: Open) -> None:
    opened(seats=2, bots={1: "random"}, learning_rounds=1)
    play_bots(play, "g_1")
    assert play.live("g_1").game.laid == (None, None)
    answered(play, open_decisions(play.live("g_1").game)[0])
    wakes.sent.clear()
    advance(play, "g_1")
    assert wakes.sent == [("bots", "g_1")]
    play_bots(play, "g_1")
    assert play.live("g_1").game.laid[1]


def test_a_vote_that_nobody_answers_is_closed_at_its_deadline(
    store: GameStore, play: Play, opened: Open
) -> None:
    opened(seats=2, pace="untimed")  # so that nothing else has a deadline
    play.execute("g_1", c.OpenVote("p0", "pause"))
    vote = play.live("g_1").game.vote
    assert vote is not None
    jobs = Jobs()
    for moment, sent in ((vote.deadline - 1, []), (vote.deadline, [("turns", "g_1")])):
        sweep(store, jobs, moment)
        assert jobs.sent == sent
    play.clock = lambda: vote.deadline
    advance(play, "g_1")
    assert play.live("g_1").game.vote is None


def test_a_pause_is_ended_by_the_clock_and_nothing_is_played_meanwhile(
    store: GameStore, play: Play, opened: Open
) -> None:
    opened(seats=3, bots={2: "random"}, pace="live")
    play.execute("g_1", c.OpenVote("p0", "pause"))
    play.execute("g_1", c.CastBallot("p1", 1, "yes"))
    paused = play.live("g_1").game
    assert (paused.status, paused.paused_until) == ("paused", paused.at + LONGEST_PAUSE_MS)
    later(play, LONGEST_PAUSE_MS - 1)
    play_bots(play, "g_1")
    advance(play, "g_1")
    assert play.live("g_1").game == paused
    assert store.due("bots", now() + 10**9, 9) == []
    moment = later(play, LONGEST_PAUSE_MS)
    assert store.due("turns", moment, 9) == ["g_1"]
    advance(play, "g_1")
    assert play.live("g_1").game.status == "playing"
    assert store.due("bots", moment + 10**6, 9) == ["g_1"]


def test_a_bot_is_woken_for_the_seat_that_somebody_gave_up(play: Play, wakes: Wakes, opened: Open) -> None:
    opened(seats=3)
    wakes.sent.clear()
    play.execute("g_1", c.Resign("p1"))
    assert wakes.sent == [("bots", "g_1")]
    play_bots(play, "g_1")
    assert [bool(laid) for laid in play.live("g_1").game.laid] == [False, True, False]


def test_who_is_away_is_played_for_when_only_absent_seats_are_waited_for(
    store: GameStore, play: Play, wakes: Wakes, opened: Open
) -> None:
    opened(seats=3, bots={2: "random"})
    for player in ("p0", "p1"):
        play.execute("g_1", c.GoAway(player))
    assert store.due("turns", now() + 10**6, 9) == []
    wakes.sent.clear()
    play_bots(play, "g_1")
    assert ("turns", "g_1") in wakes.sent
    assert store.due("turns", now(), 9) == ["g_1"]
    advance(play, "g_1")
    assert play.live("g_1").game.turn == 2 or play.live("g_1").game.request


@pytest.mark.parametrize("name", sorted(TABLES))
def test_a_table_that_everybody_left_for_a_while_ends_by_the_clock(
    store: GameStore, opened: Open, name: str
) -> None:
    opened(seats=2, **{"end": {"rounds": 1}, **TABLES[name]})
    worker = Play(store, Wakes())
    for player in ("p0", "p1"):
        worker.execute("g_1", c.GoAway(player))
    jobs, moment = Jobs(), int(now())
    while worker.live("g_1").game.is_running:
        moment += AGAIN_MS
        jobs.sent.clear()
        sweep(store, jobs, moment)
        assert jobs.sent == [("turns", "g_1")], "the game is stuck"
        advance(worker, "g_1")
    assert verify_log(worker.log("g_1")).outcome == "ok"


def test_who_is_late_twice_is_away_from_then_on(play: Play, opened: Open) -> None:
    opened(seats=2, pace="bot", end={"rounds": 1})
    for _ in range(3):
        game = play.live("g_1").game
        for decision in open_decisions(game):
            if decision.seat == 0:
                answered(play, decision)
        later(play, 10_000)
        advance(play, "g_1")
    holder = play.live("g_1").game.seats[1]
    assert holder is not None
    assert (holder.away, holder.controller) == (True, "policy")
