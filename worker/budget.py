"""How long a bot may think: whatever it does, its worker gets the word back in time."""

from __future__ import annotations

import signal
import threading
import time
from collections.abc import Callable
from types import FrameType
from typing import Final, TypeVar

T = TypeVar("T")

AGAIN_S: Final = 0.1
"""How soon a bot that goes on thinking is stopped once more."""


class OverBudget(BaseException):
    """The time is up; no `except Exception` of whoever took it holds it back."""


def within(seconds: float, think: Callable[[], T]) -> T:
    """Return what `think` returns; raises OverBudget when that takes too long, in `think` itself, until it ends.

    The alarm of this process is borrowed, and its owner's own time goes on: RQ counts a job's time by it. Signals reach the
    main thread only, where workers do their jobs; in any other thread nothing is limited.
    """
    if threading.current_thread() is not threading.main_thread():
        return think()
    is_thinking = True

    def stop(number: int, frame: FrameType | None) -> None:
        if is_thinking:
            raise OverBudget

    began_s = time.monotonic()
    handler = signal.signal(signal.SIGALRM, stop)
    left_s, every_s = signal.setitimer(signal.ITIMER_REAL, seconds, AGAIN_S)
    try:
        try:
            return think()
        finally:
            is_thinking = False
    finally:
        is_thinking = False  # the alarm may have rung just before the line that says so
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, handler)
        if left_s:
            # What was due meanwhile rings at once.
            signal.setitimer(signal.ITIMER_REAL, max(left_s - (time.monotonic() - began_s), 0.001), every_s)
