"""schemathesis against the live service, as the document describes it: examples, edges, random requests, whole stories."""

from __future__ import annotations

import json
import os
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from pathlib import Path

from tests.contract.client import DOCUMENT, ROOT
from tests.e2e.serving import serving

LEAST = 5_000
"""The bar: so many requests at least."""
OPERATOR = "operator-of-the-contract-run"
SETTINGS = Path(__file__).with_name("schemathesis.toml")
ROOMY = {
    "wait_cap_s": "0",
    "stream_life_s": "0",
    "games_per_player": "100000",
    "changes_per_hour": "1000000",
    "metrics_token": OPERATOR,
}
"""Held requests and streams would only be waited for, and bounds would be all that is met: they are tested elsewhere."""


def check(seed: int | None = None) -> bool:
    """Run all phases and print the figures; whether no request was answered in a way that the document does not have."""
    with tempfile.TemporaryDirectory(prefix="take5-contract-") as name:
        place = Path(name)
        with serving(place / "data", place / "log", **ROOMY) as served:
            began = time.monotonic()
            done = subprocess.run(
                [
                    *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(SETTINGS)),
                    *("run", str(DOCUMENT), "--url", served.url, "--no-color"),
                    *(("--seed", str(seed)) if seed is not None else ()),
                ],
                cwd=place,
                env=os.environ
                | {
                    "PYTHONPATH": str(ROOT),
                    "CONTRACT_URL": served.url,
                    "CONTRACT_OPERATOR": OPERATOR,
                    "CONTRACT_TALLY": str(place / "tally"),
                },
                capture_output=True,
                text=True,
                check=False,
            )
            took = time.monotonic() - began
            tally = json.loads((place / "tally").read_text()) if (place / "tally").exists() else {}
            log = (place / "log").read_text()
    return _judged(done, tally, took, log)


def _judged(done: subprocess.CompletedProcess[str], tally: dict[str, int], took: float, log: str) -> bool:
    statuses: Counter[int] = Counter()
    for answered, times in tally.items():
        statuses[int(answered.split()[1])] += times
    requests, broken = statuses.total(), sum(times for status, times in statuses.items() if status >= 500)
    operations = {answered.split()[0] for answered in tally}
    links = re.search(r"API Links: +(\d+) covered / (\d+)", done.stdout)
    seed = re.search(r"Seed: (\d+)", done.stdout)
    print(
        f"schemathesis  {requests} requests to {len(operations)} operations in {took:.0f} s, "
        f"{' of '.join(links.groups()) if links else 'no'} links followed, {broken} answers of 5xx, "
        f"--seed {seed[1] if seed else 'unknown'}"
    )
    print("              " + ", ".join(f"{status}: {statuses[status]}" for status in sorted(statuses)))
    if done.returncode or broken or "Traceback" in log:
        print(done.stdout, done.stderr, log, sep="\n")
    return not done.returncode and not broken and "Traceback" not in log and requests >= LEAST
