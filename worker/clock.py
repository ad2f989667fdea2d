"""The clock: sends workers to the games that are due, for deadlines and for whatever wake-up was lost.

What a game needs stands in the store from the moment its events do, so a job that was lost, or died half-way, is only a
due time in the past. Several clocks may run at once; a job too many is harmless.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Final, Protocol

import structlog

from service.metrics import FINDS
from service.store.connect import Unavailable
from service.store.contract import GameStore, Kind
from service.store.moments import now

TICK_S: Final = 0.1
"""How often the clock looks."""

AGAIN_MS: Final = 1000
"""How long a job may wait or work before another is sent for the same game."""

WAITING_MAX: Final = 200
"""With so many jobs waiting, the workers are behind and another would only make it worse."""

_KINDS: Final[tuple[Kind, ...]] = ("turns", "bots")
_REST_S: Final = 1.0

_log = structlog.get_logger(__name__)


class Jobs(Protocol):
    """Where jobs are put and counted, as `service.store.queue.Queue` does it."""

    def wake(self, kind: Kind, game: str) -> None:
        """Send a job; never fails."""
        ...

    def waiting(self, kind: Kind) -> int:
        """Return how many jobs nobody has begun yet; raises Unavailable."""
        ...


def run(store: GameStore, queue: Jobs, rest: Callable[[float], bool]) -> None:
    """Look at what is due again and again; `rest` waits so many seconds and returns True when it is time to end."""
    _log.info("clock_started")
    pause_s = 0.0
    while not rest(pause_s):
        try:
            sweep(store, queue, now())
            pause_s = TICK_S
        except Unavailable as error:
            _log.warning("clock_waits", reason=error.reason)
            pause_s = _REST_S


def sweep(store: GameStore, queue: Jobs, now_ms: int) -> int:
    """Send a job for every game that is due, and return how many; raises Unavailable.

    Each game is due again `AGAIN_MS` later, unless it has moved on by then.
    """
    sent = 0
    for kind in _KINDS:
        room = WAITING_MAX - queue.waiting(kind)
        for game in store.due(kind, now_ms, room) if room > 0 else ():
            queue.wake(kind, game)
            FINDS.labels(kind).inc()
            store.postpone(kind, game, now_ms + AGAIN_MS)
            sent += 1
    return sent
