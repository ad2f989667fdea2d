"""schemathesis against the live service, as the document describes it: examples, edges, random requests, whole stories."""

from __future__ import annotations

import json
import os
import random
import re
import subprocess
import sys
import tempfile
import time
from collections import Counter
from http import HTTPStatus
from pathlib import Path

from tests.contract.client import DOCUMENT, ROOT
from tests.e2e.serving import serving

LEAST = 5_000
"""The bar: so many requests at least."""
STORIES = 3
"""How often whole stories are told: each ends early when the service, which has clocks and chance, cannot repeat it."""
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
    seed = random.SystemRandom().getrandbits(32) if seed is None else seed
    tally: Counter[str] = Counter()
    with tempfile.TemporaryDirectory(prefix="take5-contract-") as name:
        place = Path(name)
        with serving(place / "data", place / "log", **ROOMY) as served:
            passed = _passed(served.url, place, "examples,coverage,fuzzing", seed, tally)
            for story in range(1, STORIES + 1):
                passed &= _passed(served.url, place, "stateful", seed + story, tally)
            log = (place / "log").read_text()
    if "Traceback" in log:
        print(log)
    print(f"schemathesis  --seed {seed} repeats it")
    return _judged(tally) and passed and "Traceback" not in log


def _passed(url: str, place: Path, phases: str, seed: int, tally: Counter[str]) -> bool:
    """Run some phases against the service, and add what it answered to the tally."""
    began, answers = time.monotonic(), place / "tally"
    answers.unlink(missing_ok=True)
    done = subprocess.run(
        [
            *(sys.executable, "-m", "schemathesis.cli", "--config-file", str(SETTINGS)),
            *("run", str(DOCUMENT), "--url", url, "--no-color", "--phases", phases, "--seed", str(seed)),
        ],
        cwd=place,
        env=os.environ
        | {
            "PYTHONPATH": str(ROOT),
            "CONTRACT_URL": url,
            "CONTRACT_OPERATOR": OPERATOR,
            "CONTRACT_TALLY": str(answers),
        },
        capture_output=True,
        text=True,
        check=False,
    )
    more = Counter[str](json.loads(answers.read_text()) if answers.exists() else {})
    tally.update(more)
    links = re.search(r"API Links: +(\d+) covered / (\d+)", done.stdout)
    followed = f", {' of '.join(links.groups())} links followed" if links else ""
    print(
        f"schemathesis  {phases}: {more.total()} requests in {time.monotonic() - began:.0f} s{followed}",
        flush=True,
    )
    if done.returncode:
        print(done.stdout, done.stderr, sep="\n")
    return not done.returncode


def _judged(tally: Counter[str]) -> bool:
    """Print what was answered; whether it was enough, without an answer of 5xx, and each operation did what it is for.

    Something is wrong with the requests when an operation has never succeeded.
    """
    statuses: Counter[int] = Counter()
    operations, succeeded = set[str](), set[str]()
    for answered, times in tally.items():
        operation, status = answered.split()
        statuses[int(status)] += times
        operations.add(operation)
        if int(status) < HTTPStatus.BAD_REQUEST:
            succeeded.add(operation)
    broken = sum(times for status, times in statuses.items() if status >= HTTPStatus.INTERNAL_SERVER_ERROR)
    never = operations - succeeded
    print(
        f"schemathesis  {statuses.total()} requests to {len(operations)} operations, {broken} answers of 5xx"
    )
    print("              " + ", ".join(f"{status}: {statuses[status]}" for status in sorted(statuses)))
    if never:
        print(f"              never succeeded: {', '.join(sorted(never))}")
    return not broken and not never and statuses.total() >= LEAST
