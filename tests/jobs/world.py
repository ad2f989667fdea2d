"""The whole service in one thread: people who ask again until they are answered, workers, a clock, and a death at any step.

Time passes when nobody has anything to do. A process that dies loses what it had in memory, and whatever it would have done
next.
"""

from __future__ import annotations

from collections import Counter, deque
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from typing import Any

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
        return Connection(store, queue, play, players)  # type: ignore[arg-type]  # stand in for them, call by call

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
                    self.live(process, lambda at, work=work, game=game: work(at, game))  # type: ignore[misc]  # mypy infers no default of a lambda
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
                if self.live("api", lambda at, answer=answer: at.play.execute("g_1", answer)):  # type: ignore[misc]  # mypy infers no default of a lambda
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
