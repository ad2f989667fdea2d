"""The parts of the service one by one, each a `take5` command, as a container or a unit keeps it."""

from __future__ import annotations

import json
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from service.store.embedded import Urls

ENDS_WITHIN_S = 15.0
"""What deploy/ gives a part to end in."""


@dataclass(frozen=True, slots=True)
class Part:
    """A running part, and the file of its words."""

    process: subprocess.Popen[bytes]
    log: Path

    def terminate(self) -> None:
        """Ask it to end."""
        self.process.send_signal(signal.SIGTERM)

    def ended(self) -> int:
        """The exit code, once it has ended as it should: in time, without a word above a warning."""
        code = self.process.wait(ENDS_WITHIN_S)
        assert complaints(self.log) == []
        return code


def complaints(log: Path) -> list[str]:
    """The lines of a part's log that are above a warning, or none of a log's, as a traceback is."""
    return [line for line in log.read_text().splitlines() if _level(line) not in ("debug", "info", "warning")]


def _level(line: str) -> object:
    try:
        return json.loads(line).get("level")
    except (ValueError, AttributeError):
        return None


@contextmanager
def part(urls: Urls, log: Path, *arguments: str, **settings: str) -> Iterator[Part]:
    """A part while the block lasts; `settings` are variables of its environment by their whole names."""
    environment = {
        **{name: value for name, value in os.environ.items() if not name.startswith("TAKE5_")},
        "TAKE5_REDIS_URL": urls.games,
        "TAKE5_QUEUE_URL": urls.queue,
        **settings,
    }
    command = [sys.executable, "-m", "take5.cli", *arguments]
    with log.open("ab") as words:
        process = subprocess.Popen(
            command, env=environment, stdout=words, stderr=words, stdin=subprocess.DEVNULL
        )
    try:
        yield Part(process, log)
    finally:
        if process.poll() is None:
            process.kill()
        process.wait()
