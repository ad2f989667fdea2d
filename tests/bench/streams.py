"""Two thousand idle streams and two hundred held requests on one API process while fifty tables play.

Laying a card is timed there and, at the same moment, on a second process that has only the tables: on our threads and,
where gevent is installed, on its greenlets with the same code. Readers who lose their connection every second have to be
told every event once.
"""

from __future__ import annotations

import asyncio
import importlib.util
import itertools
import math
import os
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path
from statistics import quantiles

from service.store.connect import games_client
from service.store.embedded import Urls, embedded
from service.store.play import Play
from service.store.server import RedisStore
from tests.bench.crowd import Crowd, Wire
from tests.bench.servers import TAKE5, await_answer, end, environment, free_port
from tests.e2e.chaos import NoWakes
from tests.e2e.people import Party, Table
from tests.e2e.restless import NDJSON, SSE, Restless, faults

TABLES, STREAMS, HELD = 50, 2_000, 200
PER_TOKEN = 10
THINK_S = 4.0
SECONDS = 30.0
LATE_S = 1.0
"""The bar: of a hundred cards beside streams 99 are answered sooner, or as soon as those without on a busy machine."""

SERVERS = {
    "threads": (*TAKE5, "api", "--port"),
    "gevent": (sys.executable, "-m", "tests.bench.evented"),
}


@dataclass(frozen=True, slots=True)
class Figures:
    """What was measured while tables played: how long cards took, and what the process used."""

    cards: int
    p50_s: float
    p99_s: float
    cpu: float
    kb: int
    refused: list[str]


def measure() -> bool:
    """Print the figures; whether every bar is met."""
    with tempfile.TemporaryDirectory(prefix="take5-bench-") as name, embedded(Path(name)) as servers:
        met = [_beside("threads", servers.urls)]
        if importlib.util.find_spec("gevent"):
            _beside("gevent", servers.urls)
        else:
            print("gevent          is not installed, so not compared")
        met.append(_restless(servers.urls))
    return all(met)


def _beside(kind: str, urls: Urls) -> bool:
    """Print what laying a card costs alone and beside streams; whether all cards were answered, and soon."""
    with _running(urls, SERVERS[kind], SERVERS[kind]) as processes:
        alone, beside, held_kb, stream_kb = asyncio.run(_crowded(*processes))
    for what, found in (("alone", alone), (f"beside {STREAMS} streams and {HELD} held", beside)):
        print(
            f"{kind:8}{what:36}{found.cards:6} cards  p50 {1000 * found.p50_s:6.1f} ms  p99 {1000 * found.p99_s:7.1f} ms"
            f"  CPU {found.cpu:4.0%}  {found.kb / 1024:5.0f} MB"
        )
    print(
        f"{kind:8}p50 {beside.p50_s / alone.p50_s:.2f} and p99 {beside.p99_s / alone.p99_s:.2f} of alone,"
        f" {stream_kb:.0f} KB a stream, {held_kb:.0f} KB a held request",
        flush=True,
    )
    refused = alone.refused + beside.refused
    for words in refused[:5]:
        print(f"  {words}")
    return not refused and beside.p99_s <= max(LATE_S, alone.p99_s)


async def _crowded(quiet: Running, busy: Running) -> tuple[Figures, Figures, float, float]:
    """Return the figures without and with streams, and the KB of a held request and of a stream."""
    crowds = [Crowd(quiet.port), Crowd(busy.port)]
    host = Wire(busy.port)
    try:
        for crowd in crowds:
            await crowd.play(TABLES, THINK_S)
        await host.sign_up("host")
        options = {"ruleset": "classic", "seats": 4}
        lobbies = [(await host.ask("POST", "/v1/games", options))["id"] for _ in range(20)]
        await asyncio.sleep(5)
        before_kb = busy.memory_kb()
        await crowds[1].hold(HELD)
        await asyncio.sleep(2)
        held_kb = busy.memory_kb()
        paths = itertools.cycle([*(f"/v1/games/{game}/events" for game in lobbies), *["/v1/me/events"] * 20])
        await crowds[1].follow(paths, STREAMS, PER_TOKEN)
        await asyncio.sleep(12)  # until each has been kept alive once
        streams_kb = busy.memory_kb()
        alone, beside = await asyncio.gather(_figures(crowds[0], quiet), _figures(crowds[1], busy))
        return alone, beside, (held_kb - before_kb) / HELD, (streams_kb - held_kb) / STREAMS
    finally:
        for crowd in crowds:
            await crowd.leave()
        host.close()


async def _figures(crowd: Crowd, of: Running) -> Figures:
    crowd.answer_s.clear()
    crowd.refused.clear()
    began_s, cpu_s = time.monotonic(), of.cpu_s()
    await asyncio.sleep(SECONDS)
    parts = quantiles(crowd.answer_s, n=100)
    cpu = (of.cpu_s() - cpu_s) / (time.monotonic() - began_s)
    return Figures(len(crowd.answer_s), parts[49], parts[98], cpu, of.memory_kb(), list(crowd.refused))


def _restless(urls: Urls) -> bool:
    """Play a game before readers who lose their connection every second; whether each was told all of it once."""
    with _running(urls, SERVERS["threads"]) as (server,):
        url = f"http://127.0.0.1:{server.port}"
        party = Party(url, Table(3, {2: "random"}, {"end": {"rounds": 4}}), seed=1)
        party.on_answer = lambda: time.sleep(0.5)
        party.sit_down()
        game, token = f"/v1/games/{party.game}/events", party.clients[0].token
        readers = [
            Restless(url, game, None, SSE, lives_s=1, after="0").begin(),
            Restless(url, game, token, NDJSON, lives_s=1, after="0").begin(),
            Restless(url, "/v1/me/events", token, SSE, lives_s=1).begin(),
        ]
        while not all(reader.told for reader in readers):
            time.sleep(0.01)
        first = readers[2].told[0].data["games"][0]["seq"] + 1
        party.begin()
        while party.look() == "playing":
            time.sleep(0.2)
        for reader in readers:
            reader.join()
        party.leave()
    with games_client(urls.games, threads=1) as client:
        log = Play(RedisStore(client), NoWakes()).log(party.game)
    wrong = [
        fault
        for reader, begin in zip(readers, (1, 1, first), strict=True)
        for fault in faults(reader, log, begin)
    ]
    print(
        f"restless {len(readers)} readers of a game of {len(log)} events came back"
        f" {sum(reader.connections for reader in readers)} times: {len(wrong)} faults"
    )
    for words in wrong:
        print(f"  {words}")
    return not wrong


@dataclass(frozen=True, slots=True)
class Running:
    """An API process that serves at a port."""

    port: int
    arbiter: int

    def memory_kb(self) -> int:
        """How much memory it has in use."""
        command = ["ps", "-o", "rss=", "-p", str(self._pid())]
        return int(subprocess.run(command, capture_output=True, text=True, check=True).stdout)

    def cpu_s(self) -> float:
        """The seconds of CPU that it has used, where the system says so exactly."""
        stat = Path(f"/proc/{self._pid()}/stat")
        if not stat.exists():
            return math.nan
        ticks = stat.read_text().rpartition(")")[2].split()[11:13]
        return sum(map(int, ticks)) / os.sysconf("SC_CLK_TCK")

    def _pid(self) -> int:
        """The only child of gunicorn's arbiter."""
        command = ["ps", "-A", "-o", "pid=,ppid="]
        rows = subprocess.run(command, capture_output=True, text=True, check=True).stdout.splitlines()
        (child,) = (int(row.split()[0]) for row in rows if int(row.split()[1]) == self.arbiter)
        return child


@contextmanager
def _running(urls: Urls, *servers: tuple[str, ...]) -> Iterator[list[Running]]:
    """An API process of each kind, with workers and a clock for all."""
    settings = {
        "TAKE5_MAX_STREAMS_PER_ADDRESS": "10000",
        **{
            f"TAKE5_RATE_{kind}": "none"
            for kind in ("READING", "LAYING", "WRITING", "CREATING", "STREAMS", "EXPORTS")
        },
        "TAKE5_MAX_WAITING": "900",
        "TAKE5_MAX_WAITING_EACH": "900",
        "TAKE5_PLAYERS_PER_DAY": "100000",
        "TAKE5_GAMES_PER_DAY": "100000",
        "TAKE5_CHANGES_PER_HOUR": "1000000",
    }
    with ExitStack() as stack:

        def begin(*command: str) -> int:
            process = subprocess.Popen(command, env=environment(urls) | settings)
            stack.callback(end, process)
            return process.pid

        begin(*TAKE5, "worker", "--queue", "turns")
        begin(*TAKE5, "worker", "--queue", "bots")
        begin(*TAKE5, "clock")
        running = []
        for server in servers:
            port = free_port()
            running.append(Running(port, begin(*server, str(port))))
            await_answer(f"http://127.0.0.1:{port}/healthz")
        yield running
