"""A bot has so much time for an answer, whatever it does with it."""

from __future__ import annotations

import signal
import time
from collections.abc import Callable, Iterator
from contextlib import suppress
from threading import Event, Thread
from types import FrameType

import pytest

from worker.budget import OverBudget, within


class Rang(Exception):
    """The alarm that somebody else had set."""


@pytest.fixture(autouse=True)
def alarm() -> Iterator[None]:
    """An alarm of somebody else's, as RQ sets one for a job; that of the tests' own rings later meanwhile."""

    def ring(number: int, frame: FrameType | None) -> None:
        raise Rang

    before, left = signal.signal(signal.SIGALRM, ring), signal.setitimer(signal.ITIMER_REAL, 0)
    yield
    signal.signal(signal.SIGALRM, before)
    signal.setitimer(signal.ITIMER_REAL, *left)


def hangs() -> None:
    while True:
        pass


def waits() -> None:
    Event().wait()


def will_not_be_stopped() -> None:
    while True:
        with suppress(Exception):
            hangs()


def is_stopped_late() -> None:
    """Takes the first two stops for something else."""
    for _ in range(2):
        with suppress(OverBudget):
            hangs()
    hangs()


@pytest.mark.parametrize("think", [hangs, waits, will_not_be_stopped, is_stopped_late])
def test_whoever_takes_too_long_is_stopped(think: Callable[[], object]) -> None:
    began_s = time.monotonic()
    with pytest.raises(OverBudget):
        within(0.05, think)
    assert time.monotonic() - began_s < 2
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_whoever_is_quick_says_what_it_thinks_and_is_left_alone_afterwards() -> None:
    assert within(0.05, lambda: 7) == 7
    began_s = time.monotonic()
    while time.monotonic() - began_s < 0.1:
        pass


def test_what_goes_wrong_is_told_as_it_is() -> None:
    with pytest.raises(ZeroDivisionError):
        within(1, lambda: 1 / 0)
    assert signal.getitimer(signal.ITIMER_REAL) == (0.0, 0.0)


def test_the_alarm_of_somebody_else_goes_on_and_rings_in_time() -> None:
    signal.setitimer(signal.ITIMER_REAL, 0.3)
    with pytest.raises(OverBudget):
        within(0.05, hangs)
    left_s, _ = signal.getitimer(signal.ITIMER_REAL)
    assert 0 < left_s < 0.3
    with pytest.raises(Rang):
        hangs()


def test_an_alarm_that_was_due_meanwhile_rings_at_once() -> None:
    def takes_too_long() -> None:
        with suppress(OverBudget):
            within(0.1, hangs)
        hangs()

    signal.setitimer(signal.ITIMER_REAL, 0.02)
    with pytest.raises(Rang):
        takes_too_long()


def test_elsewhere_than_in_the_main_thread_nothing_is_limited() -> None:
    told: list[int] = []
    thread = Thread(target=lambda: told.append(within(0.0001, lambda: 3)))
    thread.start()
    thread.join()
    assert told == [3]
