"""Everything at once for a while: `python -m tests.e2e.soak [SECONDS]`, ten minutes without a number.

Tables of all rule sets are opened as others end; their guests are quick, slow, silent, come and go, vote, resign, or watch.
Afterwards every game must be over, with a log that verifies, or go on with a deadline in the future; nothing above a warning
stands in the log of any process; none was started again; and none needs more memory in the last quarter than in the second.
Prints the figures and exits with 1 if anything was wrong.
"""

from __future__ import annotations

import json
import random
import subprocess
import sys
import tempfile
import time
from collections import Counter, defaultdict
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from statistics import mean

from redis import Redis

from engine.automatic import next_deadline
from engine.verify import verify_log
from service.store.connect import games_client
from service.store.moments import now
from service.store.play import Play
from service.store.server import RedisStore
from tests.e2e.chaos import NoWakes
from tests.e2e.guests import Sitting
from tests.e2e.serving import ROLES, Served, serving

TABLES = 10
"""How many are open at a time."""
LOOK_S = 2.0
GROWTH_MOST = 0.05
GROWTH_LEAST_KB = 3 * 1024
"""A process is flat that has grown by no more than either of these."""
ALLOCATED = 1.2
"""What a store's allocator takes from the system for a byte of data, at most: it hands out pieces of some sizes only."""
OVERDUE_MS = 3_000
"""How long after its deadline a game may be waited for, on a machine as busy as this one is then."""
SETTINGS = {
    "log_level": "warning",
    "threads": "300",
    "max_waiting": "200",
    "max_streams": "60",
    "max_streams_per_address": "60",
    "players_per_day": "1000000",
    "games_per_day": "1000000",
    "changes_per_hour": "1000000",
}


@dataclass(slots=True)
class Soaked:
    """What was measured."""

    games: int = 0
    finished: Counter[str] = field(default_factory=Counter[str])
    answers: int = 0
    memory_kb: dict[str, list[int]] = field(default_factory=lambda: defaultdict(list))
    data_kb: list[int] = field(default_factory=list)
    pids: dict[str, set[int]] = field(default_factory=lambda: defaultdict(set))
    wrong: list[str] = field(default_factory=list)
    warnings: Counter[str] = field(default_factory=Counter[str])


def memory_kb(pids: list[int]) -> int:
    """How much memory these processes hold together."""
    listed = subprocess.run(
        ["ps", "-o", "rss=", "-p", ",".join(map(str, pids))], capture_output=True, text=True, check=False
    )
    return sum(map(int, listed.stdout.split()))


def soak(served: Served, seconds: float, found: Soaked) -> list[str]:
    """Keep so many tables open for so many seconds; the ids of all games."""
    chance, sittings, played = random.Random(7), list[Sitting](), list[str]()
    until = time.monotonic() + seconds
    with ThreadPoolExecutor(4) as pool, games_client(served.games_url, threads=1) as client:
        while time.monotonic() < until:
            fresh = [
                Sitting(served.url, random.Random(chance.random())) for _ in range(TABLES - len(sittings))
            ]
            list(pool.map(Sitting.begin, fresh))
            sittings += fresh
            played += [one.game for one in fresh]
            time.sleep(LOOK_S)
            _sample(served, client, found)
            for one in [one for one in sittings if one.is_over]:
                sittings.remove(one)
                _take(one, found)
        for one in sittings:
            _take(one, found)
    return played


def _take(one: Sitting, found: Soaked) -> None:
    one.leave()
    found.answers += one.answers
    found.wrong += one.wrong


def _sample(served: Served, client: Redis, found: Soaked) -> None:
    for role in ROLES:
        pids = served.pids(role)
        found.pids[role] |= set(pids)
        found.memory_kb[role].append(memory_kb(pids))
    found.data_kb.append(client.info("memory")["used_memory"] // 1024)


def judge(served: Served, played: list[str], found: Soaked) -> None:
    """Look at every game, as the store has it."""
    found.games = len(played)
    with games_client(served.games_url, threads=1) as client:
        play = Play(RedisStore(client), NoWakes())
        for name in played:
            game = play.live(name).game
            found.finished[game.status] += 1
            report = verify_log(play.log(name))
            if report.outcome != ("ok" if game.is_over else "pending"):
                found.wrong.append(f"{name} does not verify: {report.checks}")
            deadline = next_deadline(game)
            if not game.is_over and (deadline is None or deadline < now() - OVERDUE_MS):
                found.wrong.append(f"{name} is {game.status} and waits for nothing")


def read_log(log: Path, found: Soaked) -> None:
    """Count what the processes had to say."""
    for line in log.read_text().splitlines():
        try:
            told = json.loads(line)
        except ValueError:
            if "Traceback" in line or "started again" in line or "running again" in line:
                found.wrong.append(f"the log says: {line}")
            continue
        found.warnings[f"{told['level']} {told['event']}"] += 1
        if told["level"] not in ("debug", "info", "warning"):
            found.wrong.append(f"the log says: {line}")


def flatness(found: Soaked) -> Iterator[str]:
    """What each process held in the second and in the last quarter; and what grew, noted as wrong.

    The games' store grows by what is written there, so of it that much is taken away first, as its allocator needs it.
    """
    for role, samples in found.memory_kb.items():
        quarter = len(samples) // 4
        early, late = mean(samples[quarter : 2 * quarter]), mean(samples[-quarter:])
        data = 0.0
        if role == "games store":
            data = mean(found.data_kb[-quarter:]) - mean(found.data_kb[quarter : 2 * quarter])
            data *= ALLOCATED
        grown = late - early - data
        is_flat = grown <= max(GROWTH_MOST * early, GROWTH_LEAST_KB)
        if not is_flat:
            found.wrong.append(f"{role} has grown by {grown / 1024:.1f} MB")
        yield (
            f"{role:<14}{early / 1024:>9.1f}{late / 1024:>9.1f}{data / 1024:>9.1f}{grown / 1024:>9.1f}"
            f"{'' if is_flat else '   grows'}"
        )


def main() -> int:
    """Soak, judge, and print the figures."""
    seconds = float(sys.argv[1]) if len(sys.argv) > 1 else 600.0
    found = Soaked()
    with tempfile.TemporaryDirectory(prefix="take5-soak-") as place:
        log = Path(place) / "log"
        with serving(Path(place) / "data", log, **SETTINGS) as served:
            began_s = time.monotonic()
            played = soak(served, seconds, found)
            lasted_s = time.monotonic() - began_s
            judge(served, played, found)
        read_log(log, found)
    print(f"{lasted_s:.0f} s, {found.games} games ({dict(found.finished)}), {found.answers} answers")
    print(f"{'MB':<14}{'2nd qu.':>9}{'last qu.':>9}{'data':>9}{'grown':>9}")
    for line in flatness(found):
        print(line)
    for role, pids in found.pids.items():
        if len(pids) > (2 if role == "API" else 1) + (role in ("games store", "queue")):
            found.wrong.append(f"{role} was started again: {sorted(pids)}")
    print(f"log: {dict(found.warnings) or 'nothing above info'}")
    for fault in found.wrong[:40]:
        print(f"  {fault[:400]}")
    print("all well" if not found.wrong else f"{len(found.wrong)} things are wrong")
    return 1 if found.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
