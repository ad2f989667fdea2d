"""Being asked to end: by Ctrl-C, by SIGTERM, or by a terminal that goes away."""

from __future__ import annotations

import os
import select
import signal
from types import FrameType
from typing import Final

SIGNALS: Final = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP)


class Ending:
    """Turns the signals that ask this process to end into something to wait for; make it in the main thread.

    The first signal only asks. A second one means now: it raises SystemExit wherever the main thread is.
    """

    def __init__(self) -> None:
        """Take the signals over, for the rest of the process's life."""
        self._ear, mouth = os.pipe()
        os.set_blocking(mouth, False)
        signal.set_wakeup_fd(mouth, warn_on_full_buffer=False)
        self._asked = False
        for number in SIGNALS:
            signal.signal(number, self._hear)

    def _hear(self, number: int, frame: FrameType | None) -> None:
        if self._asked:
            raise SystemExit(128 + number)
        self._asked = True

    @property
    def asked(self) -> bool:
        """Whether a signal has come."""
        return self._asked

    def within(self, seconds: float) -> bool:
        """Wait so long at most, and return at once with True when the signal comes or has come."""
        if not self._asked:
            select.select([self._ear], [], [], seconds)
        return self._asked
