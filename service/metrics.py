"""What every process counts of its own work, for Prometheus; never a name, a token, a card, or which game.

With `PROMETHEUS_MULTIPROC_DIR` in the environment all processes that share the directory are counted together, those that
have ended included; else each for itself. The library looks at that variable when it is imported.
"""

from __future__ import annotations

import fcntl
import hmac
import os
from collections import defaultdict
from collections.abc import Iterable
from itertools import product
from pathlib import Path
from typing import Final

from prometheus_client import CollectorRegistry, Counter, Gauge, Histogram, disable_created_metrics
from prometheus_client.metrics_core import Metric
from prometheus_client.mmap_dict import MmapedDict
from prometheus_client.multiprocess import MultiProcessCollector

SHARED: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable that names the directory of processes which are counted together."""

disable_created_metrics()  # type: ignore[no-untyped-call]  # a second series beside each, which nobody asks for

_DEAD: Final = "dead"  # in the place of a process's id
_OWN: Final = CollectorRegistry()
_SECONDS: Final = (0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5, 5, 10)

REQUESTS: Final = Counter(
    "take5_requests", "Requests answered.", ("method", "route", "status"), registry=_OWN
)
REQUEST_SECONDS: Final = Histogram(
    "take5_request_seconds",
    "How long requests took that asked for no wait.",
    ("route",),
    registry=_OWN,
    buckets=_SECONDS,
)
HELD: Final = Gauge(
    "take5_held_requests", "Requests held open by ?wait.", registry=_OWN, multiprocess_mode="livesum"
)
STREAM_READERS: Final = Gauge(
    "take5_stream_readers", "Streams that are read.", registry=_OWN, multiprocess_mode="livesum"
)
EVENTS: Final = Counter("take5_events", "Events written to the logs of games.", ("type",), registry=_OWN)
ANSWERS: Final = Counter(
    "take5_answers",
    "Cards laid, rows chosen and cards picked, by who did it.",
    ("kind", "by"),
    registry=_OWN,
)
TURN_SECONDS: Final = Histogram(
    "take5_turn_seconds",
    "From the last card of a turn until its cards are revealed and placed.",
    registry=_OWN,
    buckets=_SECONDS,
)
JOBS: Final = Counter(
    "take5_jobs", "Jobs of the workers, by what became of them.", ("job", "outcome"), registry=_OWN
)
FINDS: Final = Counter(
    "take5_sweeper_finds", "Games that the clock sent a worker to.", ("kind",), registry=_OWN
)
BOT_FAILURES: Final = Counter(
    "take5_bot_failures", "Answers that a house bot owed and did not give.", ("level", "error"), registry=_OWN
)
WAKE_FAILURES: Final = Counter(
    "take5_wake_failures",
    "Wake-ups that the queue did not take, left to the clock.",
    ("kind",),
    registry=_OWN,
)
UNAVAILABLE: Final = Counter(
    "take5_store_unavailable", "Times that a store could not serve us, by why.", ("why",), registry=_OWN
)
CLOCK_STEPS: Final = Counter("take5_clock_steps", "Times that the system's clock was set.", registry=_OWN)

_FROM_ZERO: Final[dict[Counter, tuple[tuple[str, ...], ...]]] = {
    JOBS: (("advance", "play_bots"), ("done", "failed", "put off")),
    FINDS: (("turns", "bots"),),
    WAKE_FAILURES: (("turns", "bots"),),
    UNAVAILABLE: (("away", "held up", "full"),),
}
"""What stands at 0 from the start, by its labels: of a series that begins at 1 nobody sees that it rose."""

for _counter, _labels in _FROM_ZERO.items():
    for _values in product(*_labels):
        _counter.labels(*_values)


def counted() -> CollectorRegistry:
    """Return what was counted, by this process or by all that share a directory with it, to add to and to write out."""
    registry, shared = CollectorRegistry(), os.environ.get(SHARED)
    if shared:
        _Together(registry, shared)  # type: ignore[no-untyped-call]  # the package's own omission
    else:
        registry.register(_OWN)
    return registry


def is_for_reader(header: str | None, token: str) -> bool:
    """Return whether who sends this `Authorization` knows the token, without which nobody may read what is counted."""
    scheme, _, given = (header or "").partition(" ")
    return bool(token) and scheme.lower() == "bearer" and hmac.compare_digest(given.encode(), token.encode())


class _Together(MultiProcessCollector):
    """All processes that share a directory, each with files of its own; those of the dead are added up in one of a kind.

    Else there would be more to read with every worker that is started again.
    """

    def collect(self) -> Iterable[Metric]:
        """Return what all of them counted; one process at a time does it."""
        shared = Path(self._path)
        with (shared / "lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            _forget_the_dead(shared)
            return super().collect()  # type: ignore[no-any-return, no-untyped-call]  # as above


def _forget_the_dead(shared: Path) -> None:
    """Remove what processes say of the present that have none any more, and add up what they counted."""
    for file in _of_the_dead(shared, "gauge_live*"):
        file.unlink()
    for kind in ("counter", "histogram"):
        if dead := _of_the_dead(shared, kind):
            _add_up(dead, shared / f"{kind}_{_DEAD}.db")


def _of_the_dead(shared: Path, kind: str) -> list[Path]:
    owned = [(file, file.stem.rpartition("_")[2]) for file in shared.glob(f"{kind}_*.db")]
    return [file for file, owner in owned if owner != _DEAD and not _is_alive(int(owner))]


def _add_up(files: list[Path], into: Path) -> None:
    """Add what stands in files to what stands in `into`, and remove them."""
    sums: defaultdict[str, float] = defaultdict(float)
    for file in (into, *files) if into.exists() else files:
        for key, value, _, _ in MmapedDict.read_all_values_from_file(file):  # type: ignore[no-untyped-call]  # as above
            sums[key] += value
    fresh = into.with_suffix(".fresh")
    fresh.unlink(missing_ok=True)
    written = MmapedDict(fresh)  # type: ignore[no-untyped-call]  # as above
    for key, value in sums.items():
        written.write_value(key, value, 0.0)  # type: ignore[no-untyped-call]  # as above
    written.close()  # type: ignore[no-untyped-call]  # as above
    fresh.replace(into)
    for file in files:
        file.unlink()


def _is_alive(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    except PermissionError:
        return True
    return True
