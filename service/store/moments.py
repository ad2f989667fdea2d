"""What time it is, for everything that has a deadline: the system's clock, but for steps that do not last.

A clock that is set forward for a moment, by a mistake or by whoever sets it, would make every seat of every table late at
once; one that is set back would have every table wait for its absent seats as much longer. So a step forward is believed
only once it has lasted, and one back not by this process. When the machine has slept it is no step: both clocks went on.
"""

import time
from collections.abc import Callable
from threading import Lock
from typing import Final

import structlog

from engine.times import Millis
from service.metrics import CLOCK_STEPS

SLACK_MS: Final = 1_000
"""By how much the two clocks may drift apart, from one asking to the next, before it counts as a step."""

BELIEVED_AFTER_MS: Final = 60_000
"""How long a step forward must last."""

_log = structlog.get_logger(__name__)


def _system_ms() -> int:
    return time.time_ns() // 1_000_000


def _steady_ms() -> int:
    """Milliseconds since some moment, those included in which the machine slept where the system counts them."""
    clock = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return time.clock_gettime_ns(clock) // 1_000_000


class Clock:
    """Gives milliseconds since the epoch, to several threads, never backwards."""

    def __init__(
        self, system: Callable[[], int] = _system_ms, steady: Callable[[], int] = _steady_ms
    ) -> None:
        """Follow `system`, watched by `steady`, which is never set; both count milliseconds."""
        self._system = system
        self._steady = steady
        self._lock = Lock()
        self._ahead_ms = system() - steady()  # of the steady clock
        self._last = 0
        # How far ahead the system's clock has been since it was set last, and since when.
        self._step = self._ahead_ms, 0

    def now(self) -> Millis:
        """This moment."""
        with self._lock:
            steady = self._steady()
            ahead_ms = self._system() - steady
            if abs(ahead_ms - self._ahead_ms) <= SLACK_MS or self._is_believed(steady, ahead_ms):
                self._ahead_ms = ahead_ms
                self._step = ahead_ms, steady
            self._last = max(self._last, steady + self._ahead_ms)
            return Millis(self._last)

    def _is_believed(self, steady: int, ahead_ms: int) -> bool:
        before_ms, since = self._step
        if abs(ahead_ms - before_ms) > SLACK_MS:
            since = steady
            CLOCK_STEPS.inc()
            _log.warning("clock_stepped", by_ms=ahead_ms - before_ms)
        self._step = ahead_ms, since
        return ahead_ms > self._ahead_ms and steady - since >= BELIEVED_AFTER_MS


_CLOCK: Final = Clock()


def now() -> Millis:
    """This moment, for everything that this process does."""
    return _CLOCK.now()
