"""A table that dies between any two steps of anybody goes on, with every answer that was acknowledged, once."""

from __future__ import annotations

import random

import pytest

from engine import commands as c
from engine.decisions import open_decisions
from engine.verify import verify_log
from service.store.contract import Kind
from service.store.play import Play
from tests.jobs.world import Jobs, World, faults, never
from worker import jobs
from worker.clock import sweep

HOUR = 3_600_000


def steps_of_a_quiet_life() -> list[str]:
    world = World(never)
    log = world.play()
    assert list(faults(world, log)) == []
    return world.passed


def test_whoever_dies_wherever_the_table_goes_on() -> None:
    passed = steps_of_a_quiet_life()
    named = {name: [number for number, one in enumerate(passed, 1) if one == name] for name in set(passed)}
    assert {
        "before append",
        "after append",
        "before wake",
        "after postpone",
        "after end_game",
    } <= named.keys()
    for name, numbers in named.items():
        for fatal in {numbers[0], numbers[len(numbers) // 2], numbers[-1]}:
            world = World(lambda number, _, fatal=fatal: number == fatal)  # type: ignore[misc]  # mypy infers no default of a lambda
            log = world.play()
            assert (name, fatal, list(faults(world, log))) == (name, fatal, [])
            assert world.deaths == 1


@pytest.mark.parametrize("seed", range(5))
def test_whoever_dies_again_and_again_the_table_goes_on(seed: int) -> None:
    chance = random.Random(seed)
    world = World(lambda number, name: chance.random() < 0.1)
    log = world.play()
    assert list(faults(world, log)) == []
    assert world.deaths > 10


def test_a_job_that_is_always_cut_off_by_its_time_out_gets_on_all_the_same() -> None:
    """A worker that is too slow dies after every append: what was appended stands, and the next job goes on from there."""
    world = World(lambda number, name: name == "after append")
    log = world.play()
    assert list(faults(world, log)) == []


def test_every_wake_up_that_is_lost_is_made_good(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(never)
    monkeypatch.setattr(world.queue, "wake", lambda kind, game: None)
    reader = Play(world.store, world.queue, world._time)
    found: list[tuple[Kind, str]] = []
    while reader.live("g_1").game.turn < 3:
        world._people(reader)
        world.now += 500
        found.clear()
        sweep(world.store, Found(found), world.now)
        for kind, game in found:
            work = jobs._advance if kind == "turns" else jobs._play_bots
            work(world.processes["worker"], game)
    assert verify_log(reader.log("g_1")).outcome == "pending"


class Found(Jobs):
    """A queue that only notes what it was given."""

    def __init__(self, found: list[tuple[Kind, str]]) -> None:
        super().__init__()
        self.found = found

    def wake(self, kind: Kind, game: str) -> None:
        self.found.append((kind, game))


def test_two_sweepers_and_two_workers_at_once_do_everything_once(monkeypatch: pytest.MonkeyPatch) -> None:
    world = World(never)
    twice = world.queue.wake

    def wake(kind: Kind, game: str) -> None:
        for _ in range(2):
            twice(kind, game)

    monkeypatch.setattr(world.queue, "wake", wake)
    log = world.play()
    assert list(faults(world, log)) == []


def test_deadlines_that_passed_while_everything_was_down_are_played_once() -> None:
    world = World(never)
    reader = Play(world.store, world.queue, world._time)
    before = reader.live("g_1").game
    world.queue.waits.clear()
    world.now += 7 * HOUR
    world.processes = {name: world._connection() for name in world.processes}
    for _ in range(3):
        sweep(world.store, world.queue, world.now)
        while world.queue.waits:
            kind, game = world.queue.waits.popleft()
            (jobs._advance if kind == "turns" else jobs._play_bots)(world.processes["worker"], game)
    played = [one for one in reader.log("g_1")[before.seq :] if one["type"] == "card.laid"]
    assert sorted(one["data"]["seat"] for one in played if one["turn"] == 1) == [0, 1, 2, 3]
    assert {one["by"]["kind"] for one in played if one["data"]["seat"] < 3 and one["turn"] == 1} == {
        "timeout"
    }
    after = reader.live("g_1").game
    assert after.request or (after.deadline is not None and after.deadline > world.now)


def test_a_clock_that_is_set_back_an_hour_holds_nobody_up_who_answers(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    world = World(never)
    reader = Play(world.store, world.queue, world._time)
    for step in (HOUR, -HOUR):
        world.now += step
        turn = reader.live("g_1").game.turn
        while reader.live("g_1").game.turn == turn:
            for decision in open_decisions(reader.live("g_1").game):
                key = decision.key
                moment = key.seat, key.round, key.number
                command: c.Command = (
                    c.LayCard(*moment, decision.cards[0]) if key.kind == "card" else c.ChooseRow(*moment, 0)
                )
                world.processes["api"].play.execute("g_1", command)
            jobs._advance(world.processes["worker"], "g_1")
    log = reader.log("g_1")
    moments = [one["at"] for one in log]
    assert moments == sorted(moments)
    assert verify_log(log).outcome == "pending"
