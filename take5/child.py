"""A child process of `take5 serve`: another `take5` command, started again whenever it ends."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Mapping
from contextlib import suppress
from typing import Final

FIRST_PAUSE_S: Final = 0.1
LAST_PAUSE_S: Final = 5.0
"""How long to wait before a child that keeps dying is started again: twice as long each time, between these."""

SETTLED_S: Final = 3.0
"""After so long a life a death counts as the first."""

STOPPED_WITHIN_S: Final = 12.0
"""How long a child may take to end in order."""


class Child:
    """One command as a process with a group of its own, which ends when we do (`lifeline`)."""

    def __init__(self, name: str, arguments: tuple[str, ...], environment: Mapping[str, str]) -> None:
        """Only note what to run: `take5` with `arguments`; `name` is for people."""
        self.name = name
        self._command = (sys.executable, "-m", "take5.cli", "--tied", *arguments)
        self._environment = environment
        self._process: subprocess.Popen[bytes] | None = None
        self._started_s = 0.0
        self._pause_s = FIRST_PAUSE_S
        self._again_s = 0.0

    @property
    def pid(self) -> int | None:
        """The process's id while it runs."""
        return self._process.pid if self._process and self._process.poll() is None else None

    def start(self) -> None:
        """Start the process."""
        self._process = subprocess.Popen(  # noqa: S603 - our own command
            self._command,
            stdin=subprocess.PIPE,
            env=self._environment,
            process_group=0,  # so that Ctrl-C reaches us first, and we stop everything in order
        )
        self._started_s = time.monotonic()

    def tend(self) -> int | None:
        """Start the process again if it has ended and its pause is over; the exit code of one that was found dead."""
        found = None
        if self._process is not None and self._process.poll() is not None:
            found = self._process.returncode
            self._bury()
            self._pause_s = (
                FIRST_PAUSE_S if self._lived_s() > SETTLED_S else min(2 * self._pause_s, LAST_PAUSE_S)
            )
            self._again_s = time.monotonic() + self._pause_s
        if self._process is None and time.monotonic() >= self._again_s:
            self.start()
        return found

    def _lived_s(self) -> float:
        return time.monotonic() - self._started_s

    def _bury(self) -> None:
        """Kill what may be left of the process's group, which would hold on to its port."""
        process, self._process = self._process, None
        if process is not None:
            with suppress(ProcessLookupError, PermissionError):  # macOS says so of a group of zombies
                os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            if process.stdin:
                process.stdin.close()

    def stop(self) -> None:
        """Let the process end in order, and return when it and its children are gone; harmless when it is not running."""
        if self._process is not None:
            self._process.terminate()
            with suppress(subprocess.TimeoutExpired):
                self._process.wait(STOPPED_WITHIN_S)
        self._bury()
