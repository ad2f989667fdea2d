"""The clock that deadlines are kept by: the system's, but for steps that do not last."""

from __future__ import annotations

import time
from dataclasses import dataclass
from threading import Thread
from typing import Any

import pytest

from service.store import moments
from service.store.moments import BELIEVED_AFTER_MS, SLACK_MS, Clock, now

HOUR = 3_600_000


@dataclass
class System:
    """A machine whose clock may be set."""

    wall: int = 1_000_000_000
    steady: int = 5_000

    def __post_init__(self) -> None:
        self.clock = Clock(lambda: self.wall, lambda: self.steady)

    def after(self, ms: int, *, step: int = 0) -> int:
        """Let so much time pass, set the clock, and return what the service takes for the time."""
        self.steady += ms
        self.wall += ms + step
        return self.clock.now()


@pytest.fixture
def system() -> System:
    return System()


@pytest.fixture
def warned(monkeypatch: pytest.MonkeyPatch) -> list[dict[str, Any]]:
    """What was said in the log."""
    said: list[dict[str, Any]] = []
    monkeypatch.setattr(
        moments, "_log", type("Log", (), {"warning": lambda _, event, **about: said.append(about)})()
    )
    return said


def test_it_is_the_system_s_clock() -> None:
    before = time.time_ns() // 1_000_000
    told = [now() for _ in range(100)]
    assert before - 1 <= told[0] <= told[-1] <= time.time_ns() // 1_000_000
    assert told == sorted(told)


def test_a_clock_that_is_set_by_little_is_followed_and_time_stands_still_meanwhile(system: System) -> None:
    first = system.after(0)
    assert system.after(100, step=SLACK_MS) == first + 100 + SLACK_MS
    assert system.after(100, step=-SLACK_MS) == first + 100 + SLACK_MS
    assert system.after(SLACK_MS) == system.wall


@pytest.mark.parametrize("step", [HOUR, -HOUR])
def test_a_step_that_is_taken_back_is_never_believed(
    system: System, step: int, warned: list[dict[str, Any]]
) -> None:
    first = system.after(0)
    assert system.after(10, step=step) == first + 10
    assert system.after(BELIEVED_AFTER_MS - 1) == first + 9 + BELIEVED_AFTER_MS
    assert system.after(10, step=-step) == first + 19 + BELIEVED_AFTER_MS
    assert [about["by_ms"] for about in warned] == [step]
    assert system.after(10, step=step) == system.wall - step, "the next step is another"


def test_a_step_forward_that_lasts_is_believed(system: System, warned: list[dict[str, Any]]) -> None:
    system.after(10, step=HOUR)
    assert system.after(BELIEVED_AFTER_MS) == system.wall
    assert system.after(10) == system.wall
    assert len(warned) == 1


def test_a_step_back_is_not_believed_and_time_goes_on(system: System, warned: list[dict[str, Any]]) -> None:
    first = system.after(0)
    system.after(10, step=-HOUR)
    assert system.after(10 * BELIEVED_AFTER_MS) == first + 10 + 10 * BELIEVED_AFTER_MS
    assert len(warned) == 1
    assert system.after(HOUR, step=HOUR) == system.wall, "it has been set right again"


@pytest.mark.parametrize("before", [-HOUR, HOUR // 2])
def test_a_step_after_another_has_to_last_as_well(
    system: System, before: int, warned: list[dict[str, Any]]
) -> None:
    first = system.after(0)
    system.after(0, step=before)
    system.after(BELIEVED_AFTER_MS - 1)
    assert system.after(0, step=2 * HOUR) == first + BELIEVED_AFTER_MS - 1
    assert system.after(BELIEVED_AFTER_MS) == system.wall
    assert [about["by_ms"] for about in warned] == [before, 2 * HOUR]


def test_time_that_the_machine_slept_has_passed(system: System) -> None:
    first = system.after(0)
    assert system.after(HOUR) == first + HOUR


def test_threads_see_time_go_forward_only(system: System) -> None:
    seen: list[list[int]] = []

    def look() -> None:
        seen.append([system.after(1) for _ in range(200)])

    threads = [Thread(target=look) for _ in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert all(one == sorted(one) for one in seen)
