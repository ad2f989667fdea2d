"""The fleet, once a session, and how often each thing is tried: a few times, or as `make concurrency` does."""

from collections.abc import Callable, Iterator
from statistics import median
from typing import Any

import pytest

from tests.concurrency import fleet as fleets
from tests.concurrency.fleet import TOGETHER_MS, Fleet

SPREADS = pytest.StashKey[list[tuple[str, tuple[float, ...]]]]()
"""Of each test, how far apart the requests left that were sent at once, in milliseconds."""


def pytest_configure(config: pytest.Config) -> None:
    """Begin with none."""
    config.stash.setdefault(SPREADS, [])


def pytest_addoption(parser: pytest.Parser) -> None:
    """Offer the whole number of tries."""
    parser.addoption(
        "--whole", action="store_true", help="try everything as often as `make concurrency` does"
    )


@pytest.fixture(scope="session")
def fleet() -> Iterator[Fleet]:
    """Two API processes on one store, two workers and a clock."""
    with fleets.running() as running:
        yield running


@pytest.fixture
def times(request: pytest.FixtureRequest) -> Callable[[int, int], int]:
    """Gives the number of tries: the first of two here, the second under `make concurrency`."""
    is_whole = request.config.getoption("whole", default=False)
    return lambda few, many: many if is_whole else few


@pytest.fixture
def together(fleet: Fleet, request: pytest.FixtureRequest) -> Iterator[Fleet]:
    """The fleet; how far apart its requests left is told at the end of a whole run."""
    fleet.spreads_ms.clear()
    yield fleet
    request.config.stash[SPREADS].append((request.node.name, tuple(fleet.spreads_ms)))


def pytest_terminal_summary(terminalreporter: Any, config: pytest.Config) -> None:
    """Tell of each test how often requests left at once, and how far apart."""
    told = config.stash.get(SPREADS, []) if config.getoption("whole", default=False) else []
    for name, spreads in told:
        close = sum(spread <= TOGETHER_MS for spread in spreads)
        terminalreporter.write_line(
            f"{len(spreads):5} times at once, {close:5} of them within {TOGETHER_MS:g} ms, "
            f"median {median(spreads):5.2f} ms: {name}"
        )
