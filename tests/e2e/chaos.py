"""Many games at once over real processes, while some of these are killed: `python -m tests.e2e.chaos`.

Four runs of fifty games of as many seats as the rule set knows, people and house bots mixed: nobody is killed; a worker
after so many answers; a store; the API. Every game must end, with nothing acknowledged lost and nothing counted twice.
Prints a table and exits with 1 if anything was wrong.

`--ruleset pro` plays another rule set, `--ruleset each` one after the other and a table for learning; with `--talk` people
also vote, step away and give up: `python -m tests.e2e.chaos --ruleset each --games 20 --kill "a worker" --talk`.
"""

from __future__ import annotations

import argparse
import sys
import tempfile
import time
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field
from pathlib import Path
from statistics import quantiles
from threading import Lock

from engine.rulesets import RULESETS
from service.store.connect import games_client
from service.store.play import Play
from service.store.server import RedisStore
from tests.e2e.judge import faults, snapshots_ever
from tests.e2e.people import Party, Table
from tests.e2e.serving import Served, serving

VICTIMS: dict[str, tuple[str, ...]] = {
    "nobody": (),
    "a worker": ("turns worker", "bots worker"),
    "a store": ("games store", "queue"),
    "the API": ("API",),
}
"""Whom each run kills, in turn."""

PLAYED: dict[str, dict[str, object]] = {
    **{name: {"ruleset": name} for name in RULESETS},
    "learning": {"ruleset": "classic", "learning_rounds": 1},
}
"""What can be played: every rule set, and a table that begins with a learning round."""

EVERY = 500
"""How many answers are given between two kills: two or three turns of fifty tables."""

PARTY_LIMIT_S = 600.0
"""After so long without an end a table counts as stuck."""


@dataclass(slots=True)
class Figures:
    """What came of a run."""

    games: int = 0
    finished: int = 0
    seconds: float = 0.0
    turns: int = 0
    events: int = 0
    answers: int = 0
    kills: int = 0
    snapshots: int = 0
    answer_ms: tuple[float, float] = (0.0, 0.0)
    wrong: list[str] = field(default_factory=list)


def tables(count: int, *, talk: bool = False, **options: object) -> list[Table]:
    """Tables of all sizes that the rule set knows, about a third of them house bots; every tenth has nobody else."""
    rules = RULESETS[str(options.get("ruleset", "classic"))]
    sizes = rules.max_seats - rules.min_seats + 1
    return [
        Table(
            seats := rules.min_seats + number % sizes,
            {
                seat: ("random", "lowest_risk")[seat % 2]
                for seat in range(seats)
                if number % 10 == 9 or (seat and (number + seat) % 3 == 0)
            },
            dict(options),
            talk,
        )
        for number in range(count)
    ]


@dataclass(slots=True)
class Killer:
    """Kills the next of its victims whenever so many answers were given: while games are on, however fast these are."""

    served: Served
    victims: Sequence[str]
    every: int
    kills: int = 0
    _answers: int = 0
    _next: int = 0
    _lock: Lock = field(default_factory=Lock)

    def __post_init__(self) -> None:
        """Leave everybody alone until the first answers."""
        self._next = self.every

    def answered(self) -> None:
        """Count an answer, and kill somebody if it is time; a victim that is not running is waited for."""
        with self._lock:
            self._answers += 1
            if not self.victims or self._answers < self._next:
                return
            self._next = self._answers + self.every
            role = self.victims[self.kills % len(self.victims)]
        killed = self.served.kill(role, self.kills % 2 if role == "API" else 0)
        with self._lock:
            self.kills += killed
            if not killed:
                self._next = self._answers + 1


def run(
    wanted: Sequence[Table], victims: Sequence[str], every: int, data: Path, log: Path, *, seed: int = 1
) -> Figures:
    """Play all tables at once, killing one of the victims after every so many answers; then judge every game."""
    figures = Figures(games=len(wanted))
    settings = {"threads": "400", "max_waiting": "380", "max_streams": "0"}
    with serving(data, log, **settings) as served:
        killer = Killer(served, victims, every)
        parties = [
            Party(served.url, table, seed + number, killer.answered) for number, table in enumerate(wanted)
        ]
        with ThreadPoolExecutor(16) as pool:
            list(pool.map(Party.sit_down, parties))
        began_s = time.monotonic()
        try:
            _play(parties, figures)
        finally:
            for party in parties:
                party.stop()
        figures.seconds = time.monotonic() - began_s
        figures.kills = killer.kills
        _judge(served, parties, figures)
        for party in parties:
            party.leave()
    return figures


def _play(parties: list[Party], figures: Figures) -> None:
    for party in parties:
        party.begin()
    open_parties, give_up = parties, time.monotonic() + PARTY_LIMIT_S
    while open_parties and time.monotonic() < give_up:
        open_parties = [party for party in open_parties if party.look() in ("playing", "paused")]
        time.sleep(0.2)
    figures.finished = len(parties) - len(open_parties)
    figures.wrong += [f"{party.game} is stuck" for party in open_parties]


def _judge(served: Served, parties: list[Party], figures: Figures) -> None:
    with games_client(served.games_url, threads=1) as client:
        play = Play(RedisStore(client), NoWakes())
        snapshots = snapshots_ever(served.data)
        for party in parties:
            of_game = snapshots.get(party.game, {})
            figures.wrong += party.refused
            figures.wrong += faults(play, party, of_game)
            log = play.log(party.game)
            figures.events += len(log)
            figures.turns += sum(event["type"] == "turn.revealed" for event in log)
            figures.snapshots += len(of_game)
            figures.answers += len(party.answered)
    times = sorted(1000 * one.took_s for party in parties for one in party.answered)
    if len(times) > 1:
        parts = quantiles(times, n=100)
        figures.answer_ms = (parts[49], parts[98])


class NoWakes:
    """Wakes nobody: the judge only reads."""

    def wake(self, kind: str, game: str) -> None:
        """Do nothing."""


def main() -> int:
    """Run what the arguments ask for, and print the figures."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--games", type=int, default=50)
    parser.add_argument("--every", type=int, default=EVERY, help="answers between two kills")
    parser.add_argument("--kill", choices=[*VICTIMS, "all"], default="all", help="one of the runs only")
    parser.add_argument("--ruleset", choices=[*PLAYED, "each"], default="classic")
    parser.add_argument("--rounds", type=int, help="end after so many rounds, not as the rule set says")
    parser.add_argument("--talk", action="store_true", help="let people vote, step away and give up, too")
    wanted = parser.parse_args()
    end = {"end": {"rounds": wanted.rounds}} if wanted.rounds else {}
    print(
        f"{'played':<15}{'killed':<10}{'games':>6}{'ended':>6}{'kills':>6}{'s':>7}{'turns/s':>9}{'answers':>9}{'p50 ms':>8}"
        f"{'p99 ms':>8}{'events':>8}{'snapshots':>10}{'wrong':>6}"
    )
    return max(
        _report(name, killed, tables(wanted.games, talk=wanted.talk, **PLAYED[name], **end), wanted.every)
        for name in (PLAYED if wanted.ruleset == "each" else [wanted.ruleset])
        for killed in VICTIMS
        if wanted.kill in (killed, "all")
    )


def _report(name: str, killed: str, wanted: Sequence[Table], every: int) -> int:
    """Do one run and print its line; 1 if anything was wrong."""
    with tempfile.TemporaryDirectory(prefix="take5-chaos-") as place:
        found = run(wanted, VICTIMS[killed], every, Path(place) / "data", Path(place) / "log")
    print(
        f"{name:<15}{killed:<10}{found.games:>6}{found.finished:>6}{found.kills:>6}{found.seconds:>7.1f}"
        f"{found.turns / found.seconds:>9.1f}{found.answers:>9}{found.answer_ms[0]:>8.1f}{found.answer_ms[1]:>8.1f}"
        f"{found.events:>8}{found.snapshots:>10}{len(found.wrong):>6}",
        flush=True,
    )
    for fault in found.wrong[:20]:
        print(f"  {fault}")
    return 1 if found.wrong else 0


if __name__ == "__main__":
    sys.exit(main())
