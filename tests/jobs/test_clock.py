"""The clock: whatever is due gets a job, however its wake-up was lost, and no more jobs than make sense."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest

from engine import commands as c
from engine.game import Game
from service.store.connect import Unavailable
from service.store.contract import GameStore, Kind
from service.store.moments import now
from service.store.play import LOST_AFTER_MS, Play
from tests.jobs.conftest import Wakes
from worker import clock
from worker.bots import play_bots
from worker.clock import AGAIN_MS, WAITING_MAX, run, sweep
from worker.turns import advance

Open = Callable[..., Game]


@dataclass
class Jobs:
    """A queue whose jobs nobody does."""

    sent: list[tuple[Kind, str]] = field(default_factory=list)
    full: int = 0

    def wake(self, kind: Kind, game: str) -> None:
        self.sent.append((kind, game))

    def waiting(self, kind: Kind) -> int:
        return self.full


def test_a_game_whose_wake_up_was_lost_is_found(store: GameStore, opened: Open) -> None:
    game = opened(seats=2, bots={1: "random"})
    jobs = Jobs()
    assert sweep(store, jobs, game.opened_at + LOST_AFTER_MS - 1) == 0  # the first wake-up may still come
    assert sweep(store, jobs, game.opened_at + LOST_AFTER_MS) == 1
    assert jobs.sent == [("bots", "g_1")]


def test_a_deadline_sends_a_worker(store: GameStore, opened: Open) -> None:
    game = opened(seats=2, pace={"turn_ms": 5000, "row_ms": 5000})
    assert game.deadline is not None
    jobs = Jobs()
    assert sweep(store, jobs, game.deadline - 1) == 0
    assert sweep(store, jobs, game.deadline) == 1
    assert jobs.sent == [("turns", "g_1")]


def test_a_game_is_not_sent_again_at_once_but_later(store: GameStore, opened: Open) -> None:
    opened(seats=2, bots={1: "random"})
    jobs, late = Jobs(), now() + LOST_AFTER_MS
    assert sweep(store, jobs, late) == 1
    assert sweep(store, jobs, late + 100) == 0
    assert sweep(store, jobs, late + AGAIN_MS) == 1


def test_a_game_that_nobody_owes_anything_is_left_alone(store: GameStore, opened: Open) -> None:
    opened(seats=2)
    assert sweep(store, Jobs(), now() + 10**9) == 0


def test_a_game_that_was_seen_to_is_not_due_any_more(store: GameStore, play: Play, opened: Open) -> None:
    opened(seats=2, bots={1: "random"})
    play_bots(play, "g_1")
    assert sweep(store, Jobs(), now() + 10**9) == 0


def test_no_more_jobs_are_sent_than_the_queue_has_room_for(store: GameStore, opened: Open) -> None:
    for number in range(3):
        opened(seats=2, bots={1: "random"}, name=f"g_{number}")
    late = now() + 10 * LOST_AFTER_MS
    assert sweep(store, Jobs(full=WAITING_MAX), late) == 0
    assert sweep(store, Jobs(full=WAITING_MAX - 2), late) == 2
    assert sweep(store, Jobs(), late) == 1


def test_two_clocks_do_no_harm(store: GameStore, play: Play, opened: Open) -> None:
    opened(seats=2, bots={1: "random"})
    late = now() + LOST_AFTER_MS
    one, other = Jobs(), Jobs()
    due = store.due("bots", late, 10)
    sweep(store, one, late)
    for game in due:  # the other had looked before the first one moved them
        other.wake("bots", game)
    for _ in one.sent + other.sent:
        play_bots(play, "g_1")
    laid = [envelope for envelope in play.log("g_1") if envelope["type"] == "card.laid"]
    assert len(laid) == 1


def test_a_whole_game_is_played_by_the_clock_alone(store: GameStore, opened: Open) -> None:
    """Every wake-up is lost, and a job that was sent is done only sometimes."""
    opened(seats=3, bots=dict.fromkeys(range(3), "lowest_risk"), end={"rounds": 1})
    worker, jobs, moment = Play(store, Wakes()), Jobs(), int(now())
    done = 0
    while worker.live("g_1").game.status == "playing":
        moment = max(moment + AGAIN_MS, now() + LOST_AFTER_MS)
        jobs.sent.clear()
        sweep(store, jobs, moment)
        assert jobs.sent, "the game is stuck"
        for kind, game in jobs.sent:
            done += 1
            if done % 3:
                (advance if kind == "turns" else play_bots)(worker, game)
    assert worker.live("g_1").game.standings


def test_the_clock_goes_on_when_the_store_is_back(
    store: GameStore, opened: Open, monkeypatch: pytest.MonkeyPatch
) -> None:
    opened(seats=2, bots={1: "random"})
    jobs, rests = Jobs(), list[float]()
    real, fails = store.due, [True, False]

    def due(kind: Kind, now_ms: int, limit: int) -> list[str]:
        if fails.pop(0) if fails else False:
            raise Unavailable("away")
        return real(kind, now_ms, limit)

    def rest(seconds: float) -> bool:
        rests.append(seconds)
        return bool(jobs.sent) or len(rests) > 10

    monkeypatch.setattr(store, "due", due)
    monkeypatch.setattr(clock, "now", lambda: now() + LOST_AFTER_MS)
    run(store, jobs, rest)
    assert jobs.sent == [("bots", "g_1")]
    assert rests == [0.0, clock._REST_S, clock.TICK_S]


def test_a_lobby_is_not_due(store: GameStore, play: Play, opened: Open) -> None:
    opened(name="g_other")
    with pytest.raises(LookupError):
        play.execute("g_1", c.Advance())
    assert store.due("turns", now() + 10**9, 10) == []
