"""A table that dies between any two steps of anybody goes on, with every answer that was acknowledged, once.

The whole service in one thread: people who ask again until they are answered, workers, a clock; time passes when nobody
has anything to do. A process that dies loses what it had in memory, and whatever it would have done next.
"""

from __future__ import annotations

import random
from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

import pytest

from engine import commands as c
from engine.cards import Card
from engine.decisions import open_decisions
from engine.errors import Refusal
from engine.log import Envelope
from engine.resolve import resolve
from engine.times import Millis
from engine.verify import verify_log
from service.store.contract import GameStore, Kind
from service.store.memory import MemoryStore
from service.store.play import Play
from service.store.players import Player, new_token
from service.store.players_memory import MemoryPlayers
from tests.jobs.conftest import MASTER
from worker import jobs
from worker.clock import sweep
from worker.connection import Connection

HOUR = 3_600_000
Dies = Callable[[int, str], bool]
"""Whether a process dies at the step of that number and name."""


class Died(BaseException):
    """A process was killed there."""


@dataclass
class Jobs:
    """The queue: jobs wait until a worker takes them, and are lost with it."""

    waits: deque[tuple[Kind, str]] = field(default_factory=deque)

    def wake(self, kind: Kind, game: str) -> None:
        self.waits.append((kind, game))

    def waiting(self, kind: Kind) -> int:
        return sum(one == kind for one, _ in self.waits)


class Mortal:
    """Something whose every call is two steps, before and after, at which its caller may die."""

    def __init__(self, inner: Any, step: Callable[[str], None]) -> None:
        self._inner = inner
        self._step = step

    def __getattr__(self, name: str) -> Any:
        call = getattr(self._inner, name)

        def called(*args: Any, **kwargs: Any) -> Any:
            self._step(f"before {name}")
            result = call(*args, **kwargs)
            self._step(f"after {name}")
            return result

        return called


@dataclass
class World:
    """A table of three people, one of whom never answers, and a house bot."""

    dies: Dies
    store: GameStore = field(default_factory=MemoryStore)
    queue: Jobs = field(default_factory=Jobs)
    players: MemoryPlayers = field(default_factory=MemoryPlayers)
    now: int = 1_767_268_800_000
    passed: list[str] = field(default_factory=list)
    deaths: int = 0
    acknowledged: dict[str, Any] = field(default_factory=dict)

    def __post_init__(self) -> None:
        self.processes = {name: self._connection() for name in ("api", "worker", "other worker")}
        options = resolve(
            {"ruleset": "classic", "seats": 4, "end": {"rounds": 1}, "pace": "blitz", "row_policy": "ask"}
        )
        play = Play(self.store, self.queue, self._time)
        play.create(
            c.CreateGame("g_1", "p0", options),
            master=MASTER,
            join_code="CODE",
            then=(c.JoinSeat("p0", "n0", "human", accept_bots=True),),
        )
        for seat in range(4):
            player = Player(f"p{seat}", f"n{seat}", "human", self.now)
            self.players.create(player, new_token(), "")
            self.players.add_game(player.id, "g_1", self.now)
        for seat in (1, 2):
            play.execute("g_1", c.JoinSeat(f"p{seat}", f"n{seat}", "human", seat, accept_bots=True))
        play.execute("g_1", c.SeatBot("p0", 3, "lowest_risk"))
        play.execute("g_1", c.StartGame("p0"))

    def _time(self) -> Millis:
        return Millis(self.now)

    def _connection(self) -> Connection:
        store, queue = Mortal(self.store, self._step), Mortal(self.queue, self._step)
        players = Mortal(self.players, self._step)
        play = Play(store, queue, self._time, grace_ms=250)
        return Connection(store, queue, play, players)  # type: ignore[arg-type]

    def _step(self, name: str) -> None:
        self.passed.append(name)
        if self.dies(len(self.passed), name):
            raise Died

    def live(self, process: str, work: Callable[[Connection], object]) -> bool:
        """Let a process do something; False when it died over that and was started again."""
        try:
            work(self.processes[process])
        except Died:
            self.deaths += 1
            self.processes[process] = self._connection()
            return False
        return True

    def play(self) -> list[Envelope]:
        """Play to the end, and return the log."""
        reader = Play(self.store, self.queue, self._time)
        rounds = 0
        while not reader.live("g_1").game.is_over or reader.live("g_1").game.phase != "over":
            rounds += 1
            assert rounds < 2000, f"the table is stuck after {self.passed[-1]}"
            moved = self._people(reader)
            for process in ("worker", "other worker"):
                if self.queue.waits:
                    kind, game = self.queue.waits.popleft()
                    work = jobs._advance if kind == "turns" else jobs._play_bots
                    self.live(process, lambda at, work=work, game=game: work(at, game))  # type: ignore[misc]
                    moved = True
            if not moved:
                self.now += 500
                self.live("worker", lambda at: sweep(at.store, at.queue, self.now))
        while self.players.games_of("p0", 9, of="active"):
            self.now += 500
            self.live("worker", lambda at: jobs._advance(at, "g_1"))
        return reader.log("g_1")

    def _people(self, reader: Play) -> bool:
        """Let each person that owes something try to answer it; whether anybody was acknowledged."""
        moved = False
        for decision in open_decisions(reader.live("g_1").game):
            if decision.seat not in (0, 1):
                continue
            key = decision.key
            moment = key.seat, key.round, key.number
            answer: c.Command = (
                c.LayCard(*moment, decision.cards[0]) if key.kind == "card" else c.ChooseRow(*moment, 0)
            )
            value: Card = decision.cards[0] if key.kind == "card" else 0
            try:
                if self.live("api", lambda at, answer=answer: at.play.execute("g_1", answer)):  # type: ignore[misc]
                    self.acknowledged[str(key)] = value
                    moved = True
            except Refusal:  # somebody was quicker: the clock, when this client tried for too long
                moved = True
        return moved


def faults(world: World, log: list[Envelope]) -> Iterator[str]:
    """What is wrong with a table after its game."""
    report = verify_log(log)
    if report.outcome != "ok":
        yield f"{report}"
    answers = [one for one in log if one["type"] in ("card.laid", "row.chosen")]
    keys = Counter(
        f"r{one['round']}.t{one['turn']}.s{one['data']['seat']}.{'card' if one['type'] == 'card.laid' else 'row'}"
        for one in answers
    )
    if set(keys.values()) != {1}:
        yield "somebody answered twice"
    stands = {
        f"r{one['round']}.t{one['turn']}.s{one['data']['seat']}.card": one["open"][f"s{one['data']['seat']}"][
            "data"
        ]["card"]
        for one in answers
        if one["type"] == "card.laid"
    }
    for key, value in world.acknowledged.items():
        if key.endswith("card") and stands[key] != value:
            yield f"{key} was acknowledged as {value} and stands as {stands[key]}"
    if world.players.games_of("p0", 9, of="active"):
        yield "the game is still among those that are played"


def never(number: int, name: str) -> bool:
    return False


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
            world = World(lambda number, _, fatal=fatal: number == fatal)  # type: ignore[misc]
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
