"""Saying what takes so long: nothing for a second, then a line every few seconds."""

from __future__ import annotations

import time
from threading import Event, Thread
from types import TracebackType
from typing import Final, Self

import click

FIRST_S: Final = 1.0
NEXT_S: Final = 5.0


class Progress:
    """While the block lasts, tells a person on standard error what is being done, once it takes longer than a second."""

    def __init__(self, what: str) -> None:
        """Begin with `what` is being done, as in "reading the games"."""
        self._what = what
        self._began_s = time.monotonic()
        self._over = Event()
        self._teller = Thread(target=self._tell, name="take5-progress", daemon=True)

    def say(self, what: str) -> None:
        """Go on to something else."""
        self._what = what

    def __enter__(self) -> Self:
        self._teller.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, trace: TracebackType | None
    ) -> None:
        self._over.set()
        self._teller.join()

    def _tell(self) -> None:
        pause_s = FIRST_S
        while not self._over.wait(pause_s):
            click.echo(f"{self._what} ... ({time.monotonic() - self._began_s:.0f} s)", err=True)
            pause_s = NEXT_S
