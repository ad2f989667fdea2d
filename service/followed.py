"""Games as all who follow them read them: once for each change, however many they are."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from threading import Lock
from typing import Final

from engine.log import Envelope, Live, fold_log
from service.store.connect import Unavailable
from service.store.doors import is_for
from service.store.hub import Hub
from service.store.play import Play
from service.store.recent import Recent

TRUSTED_S: Final = 50.0
"""For so long a game of which nothing was heard is taken to be as it was: hints may be lost."""

LANES: Final = 8
"""How many followers read at the same time: the others of a crowd that was woken at once wait, and move nobody's card."""

_LIVES: Final = 4096
_TAILS: Final = 256
_STATES: Final = 2048
_TAIL_MOST: Final = 64
_STEPS_MOST: Final = 16


@dataclass(frozen=True, slots=True)
class Step:
    """What one command did: its events with all parts open, and the game before and after; None before the first."""

    before: Live | None
    envelopes: list[Envelope]
    after: Live


@dataclass(frozen=True, slots=True)
class _Known:
    live: Live
    ticket: int
    until_s: float


@dataclass(slots=True)
class _Lane:
    """Where followers queue; whoever waited while somebody failed fails with it, or a dead store would be tried by each."""

    lock: Lock = field(default_factory=Lock)
    failure: Unavailable | None = None
    failed_s: float = 0.0


class Followed:
    """The games of one process, for its streams; shared by its threads."""

    def __init__(self, play: Play, hub: Hub, clock: Callable[[], float] = time.monotonic) -> None:
        """Read games from `play` when `hub` has heard of them."""
        self._play = play
        self._hub = hub
        self._clock = clock
        self._lives: Recent[_Known] = Recent(_LIVES)
        self._tails: Recent[list[Envelope]] = Recent(_TAILS)
        self._steps: Recent[list[Step]] = Recent(_TAILS)
        self._states: Recent[Live] = Recent(_STATES)
        self._lanes = tuple(_Lane() for _ in range(LANES))

    @contextmanager
    def turn(self, key: str) -> Iterator[None]:
        """Let the block read what belongs to `key` when it is its turn; raises Unavailable as the one before it did."""
        lane, came_s = self._lanes[hash(key) % LANES], self._clock()
        with lane.lock:
            if lane.failure and lane.failed_s > came_s:
                raise Unavailable(lane.failure.reason, lane.failure.retry_after_ms)
            try:
                yield
            except Unavailable as failure:
                lane.failure, lane.failed_s = failure, self._clock()
                raise

    def live(self, game: str, player: str | None) -> Live:
        """The game as new as everything that was heard of it, for a player who may see it; raises as `Play.entered`."""
        known = self._lives.get(game)
        if (
            known
            and self._clock() < known.until_s
            and not self._hub.heard((game,), known.ticket)
            and is_for(known.live.game, player)
        ):
            return known.live
        ticket = self._hub.ticket()
        live = self._play.entered(game, player)
        self._lives.put(game, "", _Known(live, ticket, self._clock() + TRUSTED_S))
        return live

    def since(self, live: Live, after: int) -> list[Envelope]:
        """The envelopes above `after` that led to this state of a game, all parts open; raises Unavailable."""
        game, newest = live.game.id, live.game.seq
        if newest <= after:
            return []
        tail = self._tails.get((game, after), live.head)
        if tail is None:
            tail = [envelope for envelope in self._play.log(game, after) if envelope["seq"] <= newest]
            if len(tail) <= _TAIL_MOST:
                self._tails.put((game, after), live.head, tail)
        return tail

    def steps(self, live: Live, after: int) -> Iterable[Step]:
        """Return what each command did that ended above `after`, to this state of a game; raises Unavailable."""
        game, newest = live.game.id, live.game.seq
        if newest <= after:
            return ()
        kept = self._steps.get((game, after), live.head)
        if kept is not None:
            return kept
        entries = [one for one in self._play.entries(game, after) if one[-1]["seq"] <= newest]
        if len(entries) > _STEPS_MOST:
            return self._folded(entries)
        found = list(self._folded(entries))
        self._steps.put((game, after), live.head, found)
        return found

    def _folded(self, entries: list[list[Envelope]]) -> Iterator[Step]:
        before = self._state_before(entries[0][0])
        for envelopes in entries:
            state = fold_log(envelopes, before)
            self._states.put((state.game.id, state.game.seq), state.head, state)
            yield Step(before, envelopes, state)
            before = state

    def _state_before(self, envelope: Envelope) -> Live | None:
        """The game just before an event: remembered, or folded again from the beginning."""
        game, seq = envelope["game"], envelope["seq"] - 1
        if not seq:
            return None
        state = self._states.get((game, seq), envelope["prev"])
        if state is None:
            state = fold_log(one for one in self._play.log(game) if one["seq"] <= seq)
            self._states.put((game, seq), state.head, state)
        return state
