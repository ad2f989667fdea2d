"""What becomes of tables in play when something breaks: one row a fault, each with tables of its own at one service."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from itertools import groupby
from pathlib import Path
from threading import Thread

from redis import Redis

from service.store import connect
from service.store.play import Play
from service.store.server import RedisStore
from tests.e2e.chaos import NoWakes, tables
from tests.e2e.judge import faults, snapshots_ever
from tests.e2e.people import Party, Table
from tests.faults.mortal import POINTS
from tests.faults.stage import Stage, staged
from tests.faults.watch import Watch

HOUR_MS = 3_600_000
LOOK_S = 0.02
UNDER_WAY = 2
"""So many answers a table gives before anything breaks."""
HAPPENS_WITHIN_S = 20.0
OVER_WITHIN_S = 90.0
BROKEN_S = 3.0
"""How long what does not kill lasts."""
SLOW = {"pace": {"turn_ms": 500, "row_ms": 500}, "away_after_timeouts": 4, "end": {"rounds": 1}}


class WithAbsent(Party):
    """A table of which only the host answers: the clock plays for the others, whom it takes for absent after a while.

    While something is broken it plays for the host, too, whose answer then comes too late.
    """

    def begin(self) -> None:
        """Let the host play."""
        everybody = self.clients
        self.clients = everybody[:1]
        super().begin()
        self.clients = everybody


@dataclass(slots=True)
class Row:
    """A fault, and what came of the tables that were in play."""

    process: str
    point: str
    games: int = 0
    acknowledged: int = 0
    lost: int = 0
    doubled: int = 0
    stuck: int = 0
    still_s: float = 0.0
    others: list[str] = field(default_factory=list)

    @property
    def is_good(self) -> bool:
        """Whether tables were in play, and nothing at all is wrong with any."""
        return self.games > 0 and not (self.lost or self.doubled or self.stuck or self.others)


Break = Callable[[Stage], int]
"""Breaks something, mends it again unless the service does, and returns when it broke, in milliseconds."""


@dataclass(frozen=True, slots=True)
class Fault:
    """A row to come: what it is called, and how it is broken.

    `cuttable` names the store behind a network; what is `alone` leaves its processes unfit for others; `before` is done
    before the tables begin.
    """

    process: str
    point: str
    broken: Break
    cuttable: str = ""
    alone: bool = False
    before: Callable[[Stage], None] = lambda stage: None


def now_ms() -> int:
    """This moment."""
    return time.time_ns() // 1_000_000


def row(stage: Stage, fault: Fault, count: int = 6) -> Row:
    """Play `count` tables beside two with an absent player, break something meanwhile, and judge every table."""
    fault.before(stage)
    made = Row(fault.process, fault.point)
    parties = [
        *(Party(stage.url, table, number) for number, table in enumerate(tables(count, end={"rounds": 1}))),
        *(WithAbsent(stage.url, Table(3, {1: "random"}, dict(SLOW)), 100 + number) for number in range(2)),
    ]
    with ThreadPoolExecutor(8) as pool:
        list(pool.map(Party.sit_down, parties))
    try:
        for party in parties:
            party.begin()
        _await(lambda: sum(len(party.answered) for party in parties) >= UNDER_WAY * len(parties))
        with Watch(stage, [party.game for party in parties]) as watch:
            at_ms = fault.broken(stage)
            open_parties, give_up = parties, time.monotonic() + OVER_WITHIN_S
            while open_parties and time.monotonic() < give_up:
                open_parties = [party for party in open_parties if party.look() == "playing"]
                time.sleep(LOOK_S)
            made.stuck = len(open_parties)
    finally:
        for party in parties:
            party.stop()
    _judge(stage, parties, watch, at_ms, made)
    for party in parties:
        party.leave()
    return made


def _await(condition: Callable[[], bool]) -> None:
    give_up = time.monotonic() + HAPPENS_WITHIN_S
    while not condition():
        if time.monotonic() > give_up:
            raise TimeoutError("it does not come to pass")
        time.sleep(LOOK_S)


def _judge(stage: Stage, parties: Sequence[Party], watch: Watch, at_ms: int, made: Row) -> None:
    with stage.store("games") as client:
        play, snapshots = Play(RedisStore(client), NoWakes()), snapshots_ever(stage.data)
        for party in parties:
            log = play.log(party.game)
            made.acknowledged += len(party.answered)
            gap_s = watch.standstill_s(party.game, at_ms)
            if gap_s is not None:
                made.games += 1
                made.still_s = max(made.still_s, gap_s)
            if log[-1]["type"] != "game.sealed":
                continue
            refused = [
                one
                for one in party.refused
                if not isinstance(party, WithAbsent) or "decision_closed" not in one
            ]
            for fault in faults(play, party, snapshots.get(party.game, {})) + refused:
                made.lost += "was acknowledged as" in fault or "the receipt of" in fault
                made.doubled += "times in every turn" in fault or "chosen once" in fault
                made.others.append(fault)


def killed_at(process: str, point: str) -> Break:
    """Kill the process at that point."""

    def broken(stage: Stage) -> int:
        stage.died()
        stage.order(f"{process}, {point}")
        died: list[int] = []

        def has_died() -> bool:
            at_ms = stage.died()
            died.extend([at_ms] if at_ms is not None else [])
            return bool(died)

        _await(has_died)
        return died[0]

    return broken


def store_killed(name: str) -> Break:
    """Kill the server of a store, which is started again at once."""

    def broken(stage: Stage) -> int:
        at_ms = now_ms()
        stage.kill_store(name)
        return at_ms

    return broken


def memory_full(name: str) -> Break:
    """Leave a store no room for a while."""

    def broken(stage: Stage) -> int:
        with stage.store(name) as client:
            at_ms = now_ms()
            client.config_set("maxmemory", 1)
            time.sleep(BROKEN_S)
            client.config_set("maxmemory", 0)
        return at_ms

    return broken


def network(how: str) -> Break:
    """Cut the network for a while, or let it swallow everything."""

    def broken(stage: Stage) -> int:
        at_ms = now_ms()
        stage.order("network", how)
        time.sleep(BROKEN_S)
        stage.order("network")
        return at_ms

    return broken


def failed_over(stage: Stage) -> int:
    """Put a replica in the place of the games' store, as whoever means to: when the last write has reached it."""
    replica = stage.replica
    if replica is None:
        raise RuntimeError("there is no replica to take over")
    with stage.store("games") as first, connect.games_client(replica.url, threads=2) as second:
        at_ms = now_ms()
        stage.order("network", "dumb")
        time.sleep(10 * LOOK_S)  # until the order has been read and nothing more gets through
        _await(lambda: is_in_step(first, second))
        second.replicaof("NO", "ONE")
        stage.promote(replica)
    return at_ms


def with_replica(stage: Stage) -> None:
    """Start a replica of the games' store."""
    stage.replica = replica = stage.replicate()
    with stage.store("games") as first, connect.games_client(replica.url, threads=2) as second:
        _await(lambda: is_in_step(first, second))


def is_in_step(first: Redis, second: Redis) -> bool:
    """Whether a replica has all that the first server has."""
    leading, following = first.info("replication"), second.info("replication")
    is_up = following["master_link_status"] == "up"
    return bool(is_up and leading["master_repl_offset"] == following["master_repl_offset"])


def clock_set(by_ms: int, lasts_s: float) -> Break:
    """Set the clock of every process, and set it right again."""

    def broken(stage: Stage) -> int:
        at_ms = now_ms()
        stage.order("clock", str(by_ms))
        Thread(target=_set_right, args=(stage, lasts_s)).start()
        return at_ms

    return broken


def _set_right(stage: Stage, after_s: float) -> None:
    time.sleep(after_s)
    stage.order("clock")


FAULTS: tuple[Fault, ...] = (
    *(
        Fault(process, f"killed {point}", killed_at(process, point))
        for process, points in POINTS.items()
        for point in points
    ),
    Fault("games store", "killed, started again", store_killed("games")),
    Fault("queue", "killed, started again", store_killed("queue")),
    Fault("games store", f"memory full for {BROKEN_S:.0f} s", memory_full("games")),
    Fault("queue", f"memory full for {BROKEN_S:.0f} s", memory_full("queue")),
    Fault("clocks", "an hour forward and back within 0.3 s", clock_set(HOUR_MS, 0.3), alone=True),
    Fault("clocks", "an hour forward, believed, and back after 2 s", clock_set(HOUR_MS, 2), alone=True),
    Fault("clocks", "an hour back, and forward after 2 s", clock_set(-HOUR_MS, 2), alone=True),
    Fault("games store", f"network cut for {BROKEN_S:.0f} s", network("cut"), "games"),
    Fault("games store", f"network swallows all for {BROKEN_S:.0f} s", network("dumb"), "games"),
    Fault("games store", "failed over to a replica", failed_over, "games", alone=True, before=with_replica),
    Fault("queue", f"network cut for {BROKEN_S:.0f} s", network("cut"), "queue"),
    Fault("queue", f"network swallows all for {BROKEN_S:.0f} s", network("dumb"), "queue"),
)
"""Every fault there is a row for."""


def rows(wanted: Sequence[Fault], place: Path, count: int = 6) -> Iterator[Row]:
    """Judge one fault after the other, those that share a stage at the same service."""
    for number, faults_at_once in enumerate(_together(wanted)):
        with staged(place / str(number), cuttable=faults_at_once[0].cuttable) as stage:
            for fault in faults_at_once:
                yield row(stage, fault, count)


def _together(wanted: Sequence[Fault]) -> Iterator[list[Fault]]:
    """The faults in their order, those together that follow each other at the same service."""
    for (_, alone), group in groupby(wanted, key=lambda fault: (fault.cuttable, fault.alone)):
        same = list(group)
        yield from ([fault] for fault in same) if alone else [same]
