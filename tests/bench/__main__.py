"""Every benchmark, each with its bar: `python -m tests.bench [engine] [absence] ...`, or all of them without names."""

from __future__ import annotations

import sys

from tests.bench import absence, engine, figures, latency, polling, streams
from tests.bench.servers import running

ALONE = {"engine": engine.measure, "figures": figures.measure, "streams": streams.measure}
WITH_SERVERS = {"polling": polling.measure, "latency": latency.measure, "absence": absence.measure}


def main(names: list[str]) -> int:
    """Measure what is named, or everything; 0 when every bar is met, 1 when one is not, 2 for an unknown name."""
    unknown = set(names) - ALONE.keys() - WITH_SERVERS.keys()
    if unknown:
        print(f"no such benchmark: {', '.join(sorted(unknown))}", file=sys.stderr)
        return 2
    met = [measure() for name, measure in ALONE.items() if name in names or not names]
    served = [measure for name, measure in WITH_SERVERS.items() if name in names or not names]
    if served:
        with running() as stack:
            met += [measure(stack) for measure in served]
    return int(not all(met))


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
