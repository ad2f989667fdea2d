"""Whom a command wakes, when a game is due, and what the moment of an event is."""

from __future__ import annotations

from engine import commands as c
from service.store.contract import GameStore
from service.store.play import LOST_AFTER_MS, Play
from tests.store.played import Clock, Wakes, lay, opened


def test_the_turns_worker_is_woken_by_the_last_card_and_found_by_the_sweeper(store: GameStore) -> None:
    wakes, clock = Wakes(), Clock()
    play = Play(store, wakes, clock)
    game = opened(play, pace="untimed")
    play.execute("g_1", lay(game, 0))
    assert wakes == []
    assert store.due("turns", clock.now + 10**9, 10) == []
    play.execute("g_1", lay(game, 1))
    assert wakes == [("turns", "g_1")]
    assert store.due("turns", clock.now + LOST_AFTER_MS, 10) == ["g_1"]
    play.execute("g_1", c.Advance())
    assert store.due("turns", clock.now + 10**9, 10) == []


def test_after_a_clock_was_set_back_a_lost_wake_up_is_found_as_soon_as_ever(store: GameStore) -> None:
    clock = Clock()
    clock.now += 3_600_000
    game = opened(Play(store, Wakes(), clock), bots=(1,), pace="untimed")
    clock.now -= 3_600_000  # and all processes are started again
    play = Play(store, Wakes(), clock)
    play.execute("g_1", lay(game, 0))
    assert store.due("bots", clock.now + LOST_AFTER_MS, 10) == ["g_1"]
    play.execute("g_1", lay(game, 1))
    assert store.due("turns", clock.now + LOST_AFTER_MS, 10) == ["g_1"]


def test_a_deadline_makes_a_game_due(store: GameStore) -> None:
    clock = Clock()
    play = Play(store, Wakes(), clock)
    opened(play, pace={"turn_ms": 700, "row_ms": 900})
    assert store.due("turns", clock.now + 699, 10) == []
    assert store.due("turns", clock.now + 700, 10) == ["g_1"]
    clock.now += 700
    play.execute("g_1", c.Expire())
    live = play.live("g_1").game
    assert [seat.timeouts for seat in live.taken] == [1, 1]


def test_an_answer_that_was_sent_in_time_has_its_grace(store: GameStore) -> None:
    clock = Clock()
    play = Play(store, Wakes(), clock, grace_ms=250)
    game = opened(play, pace={"turn_ms": 700, "row_ms": 900})
    assert store.due("turns", clock.now + 949, 10) == []
    assert store.due("turns", clock.now + 950, 10) == ["g_1"]
    clock.now += 949
    assert play.execute("g_1", c.Expire(play.grace_ms)).envelopes == []
    assert play.execute("g_1", lay(game, 0)).envelopes
    clock.now += 1
    play.execute("g_1", c.Expire(play.grace_ms))
    assert [seat.timeouts for seat in play.live("g_1").game.taken] == [0, 1]


def test_a_bank_makes_the_game_due_when_it_is_empty(store: GameStore) -> None:
    clock = Clock()
    play = Play(store, Wakes(), clock)
    game = opened(play, pace={"turn_ms": 700, "row_ms": 900, "bank_ms": 5_000})
    assert store.due("turns", clock.now + 5_699, 10) == []
    assert store.due("turns", clock.now + 5_700, 10) == ["g_1"]
    clock.now += 1_700
    assert play.execute("g_1", lay(game, 0)).live.game.bank_of(0) == 4_000


def test_the_log_never_runs_backwards_whatever_the_clock_does(store: GameStore) -> None:
    clock = Clock()
    play = Play(store, Wakes(), clock)
    game = opened(play)
    clock.now -= 3_600_000
    play.execute("g_1", lay(game, 0))
    Play(store, Wakes(), clock).execute("g_1", lay(game, 1))
    moments = [envelope["at"] for envelope in play.log("g_1")]
    assert moments == sorted(moments)


def test_bots_are_woken_once_for_what_they_owe(store: GameStore) -> None:
    wakes, clock = Wakes(), Clock()
    play = Play(store, wakes, clock)
    game = opened(play, seats=3, bots=(1,))
    assert wakes == [("bots", "g_1")]
    assert store.due("bots", clock.now + LOST_AFTER_MS, 10) == ["g_1"]
    play.execute("g_1", lay(game, 0))
    assert wakes == [("bots", "g_1")]
    play.execute("g_1", lay(game, 1))
    assert store.due("bots", clock.now + 10**9, 10) == []
