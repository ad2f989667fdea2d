"""The one way a game changes: load, decide, append, wake - for people, bots, deadlines and the rules alike.

`Play.execute` may be called by many threads and processes at once for one game. Each decides on the newest events it
knows and appends only if they still are the newest; else it reads what is new and decides again. So every command takes
effect once and in some order, and a command that was done already changes nothing.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from dataclasses import dataclass
from threading import Lock
from typing import Final, Protocol

from engine.automatic import next_deadline
from engine.chance import Context
from engine.commands import Command, CreateGame, LobbyCommand
from engine.deals import FairShuffle
from engine.decide import act, create
from engine.decisions import Key, open_decisions
from engine.events import CardLaid, DraftPicked, DraftPlanned, Event, RowChosen, TurnRevealed
from engine.evolve import created
from engine.game import Game, Laid
from engine.log import Envelope, Live, Position, position, seal
from engine.stages import due
from engine.times import Millis
from engine.views import public_phase
from service import metrics
from service.store import codec
from service.store.connect import Unavailable
from service.store.contract import Appended, Entry, GameStore, Kind
from service.store.doors import door
from service.store.games import CACHED, Games
from service.store.moments import now
from service.store.recent import Recent

LOST_AFTER_MS: Final = 500
"""How long a job may take to come; then the sweeper takes its wake-up for lost and sends another."""

PATIENCE_S: Final = 5.0
"""How long a command tries to get through among others before it gives up."""

_NOTHING: Final[tuple[Event, ...]] = ()
_ANSWERS: Final = {CardLaid.type: "card", RowChosen.type: "row", DraftPicked.type: "pick"}
_LOCKS: Final = 256


class Waker(Protocol):
    """Whoever sends a worker to a game; never fails."""

    def wake(self, kind: Kind, game: str) -> None:
        """Have a worker look at the game soon."""
        ...


@dataclass(frozen=True, slots=True)
class Done:
    """What came of a command: the game now, and the new envelopes with all parts open; none if nothing was left to do."""

    live: Live
    envelopes: list[Envelope]


def owed_by_house(game: Game) -> frozenset[Key]:
    """The decisions that house bots have to answer now, for seats of their own or in the place of whoever gave one up."""
    return frozenset(decision.key for decision in open_decisions(game) if _is_house(game, decision.seat))


def _is_house(game: Game, seat: int) -> bool:
    holder = game.seats[seat]
    return holder is not None and holder.controller == "house"


class Play(Games):
    """Games in a store, and the commands that change them; one for a process, shared by its threads."""

    def __init__(
        self, store: GameStore, queue: Waker, clock: Callable[[], Millis] = now, grace_ms: int = 0
    ) -> None:
        """Keep games in `store`, send workers through `queue`, take the moment of events from `clock`.

        `grace_ms` is how long an answer is waited for beyond its deadline, since it may have been sent in time.
        """
        super().__init__(store)
        self._queue = queue
        self.clock = clock
        self.grace_ms = grace_ms
        self._chances: Recent[FairShuffle] = Recent(CACHED)
        self._locks = tuple(Lock() for _ in range(_LOCKS))

    def create(
        self, wanted: CreateGame, *, master: bytes, join_code: str, then: tuple[LobbyCommand, ...] = ()
    ) -> Done:
        """Open a table and do `then` at it, all at once; of a game that stands already, the game as it is, no envelopes.

        Raises `engine.errors.Refusal` for what cannot be done, and Unavailable.
        """
        context = Context(self.clock(), FairShuffle(master))
        first, following = create(wanted, context), _NOTHING
        state = created(wanted.game, first, context.now)
        for command in then:
            state, more = act(state, command, context)
            following += more
        events: tuple[Event, ...] = (first, *following)
        secrets = {"master": master.hex(), "join_code": join_code}
        self._store.name_code(join_code, wanted.game)
        done, entry = self._sealed(Position(wanted.game), state, events, context, secrets)
        if self._store.append(entry) is Appended.STALE:
            return Done(self.live(wanted.game), [])
        self._remember(done.live)
        _count(done.envelopes, context.now)
        return done

    def execute(self, game: str, command: Command, seen: Live | None = None) -> Done:
        """Carry the command out, once, whoever else acts at the same time.

        Whoever has just read the game says what was `seen`, so that it need not be read again: what is decided was so at
        that moment, and is written only if it still is.

        Raises `engine.errors.Refusal`, NoSuchGame, and Unavailable also when others kept coming first.
        """
        give_up = time.monotonic() + PATIENCE_S
        lock = self._locks[hash(game) % _LOCKS]
        if not lock.acquire(timeout=PATIENCE_S):
            raise Unavailable("other commands of this process kept the game")
        try:
            while True:
                before = self._newest(seen) if seen else self.live(game)
                context = Context(self._moment(before.game), self._chance(before.game))
                state, events = act(before.game, command, context)
                if not events:
                    return Done(before, [])
                done, entry = self._sealed(position(before), state, events, context)
                if self._store.append(entry) is not Appended.STALE:
                    self._remember(done.live)
                    self._wake(before.game, entry, done.live.game, context.now)
                    _count(done.envelopes, context.now, before.game.laid)
                    return done
                if time.monotonic() > give_up:
                    raise Unavailable("other commands of this game kept coming first")
                seen = None
                time.sleep(random.uniform(0, 0.003))  # noqa: S311  # spreads those who collided; no secret
        finally:
            lock.release()

    def _moment(self, game: Game) -> Millis:
        """This moment, but never before the last event: clocks are set back, and differ from machine to machine."""
        return max(self.clock(), game.at)

    def _chance(self, game: Game) -> FairShuffle:
        """What was committed to: a game that the store had lost, and that was created again, has another secret."""
        known = self._chances.get(game.id, game.seed_commit)
        if known is None:
            known = FairShuffle(bytes.fromhex(self.secrets(game.id)["master"]))
            self._chances.put(game.id, game.seed_commit, known)
        return known

    def _sealed(
        self,
        at: Position,
        state: Game,
        events: tuple[Event, ...],
        context: Context,
        secrets: dict[str, str] | None = None,
    ) -> tuple[Done, Entry]:
        envelopes = seal(at, events, context.now, context.chance)
        live = Live(state, envelopes[-1]["hash"])
        plain = all(isinstance(event, CardLaid | RowChosen | DraftPicked | DraftPlanned) for event in events)
        # By the clock that the sweeper has: the game's own time is ahead of it where that was set back.
        soon, is_due = min(context.now, self.clock()) + LOST_AFTER_MS, bool(due(state, context))
        entry = Entry(
            game=state.id,
            after=at.seq,
            seq=state.seq,
            events=codec.write_events(envelopes),
            snapshot=None if plain else codec.write_snapshot(live),
            secrets=secrets,
            status=state.status,
            created_ms=state.created_at,
            due_turns=soon if is_due else next_deadline(state, self.grace_ms),
            due_bots=soon if owed_by_house(state) else None,
            phase=_counted(state),
            head=at.head if at.seq else "",
            door=door(state),
            is_passing=is_due,
        )
        return Done(live, envelopes), entry

    def _wake(self, before: Game, entry: Entry, after: Game, now: Millis) -> None:
        if entry.is_passing or (entry.due_turns is not None and entry.due_turns <= now):
            self._queue.wake("turns", after.id)
        if entry.due_bots is not None and owed_by_house(after) - owed_by_house(before):
            self._queue.wake("bots", after.id)


def _count(envelopes: list[Envelope], now: Millis, laid: tuple[Laid | None, ...] = ()) -> None:
    """Count what was written, and how long a turn had waited whose cards had all been laid before."""
    for envelope in envelopes:
        kind = envelope["type"]
        metrics.EVENTS.labels(kind).inc()
        if kind in _ANSWERS:
            metrics.ANSWERS.labels(_ANSWERS[kind], envelope["by"]["kind"]).inc()
        elif kind == TurnRevealed.type and (moments := [one.at for one in laid if one]) and all(laid):
            metrics.TURN_SECONDS.observe((now - max(moments)) / 1000)


def _counted(game: Game) -> str:
    """What an open game is counted under."""
    if game.is_over:
        return ""
    return (public_phase(game) or "between") if game.status == "playing" else game.status
