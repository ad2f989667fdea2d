"""A process of the service that dies where it is ordered to: `python -m tests.faults.mortal ROLE ...` is `take5 ...`.

Nothing of the service knows of it: the points are set from here, around what the process calls anyway. An order is a file
in the directory `FAULT_ORDERS`, named after role and point; whoever comes there takes the file away, notes when, and kills
itself. The file `clock` there holds by how many milliseconds the system's clock is wrong.
"""

from __future__ import annotations

import functools
import os
import signal
import sys
import time
from collections.abc import Callable
from contextlib import suppress
from pathlib import Path
from typing import Any

import worker.bots
import worker.clock
import worker.jobs
from service.http import logs
from service.store import moments
from service.store.hub import Hub
from service.store.players_server import RedisPlayers
from service.store.queue import Queue
from service.store.server import RedisStore
from take5.cli import main

CALLS: dict[str, dict[str, tuple[Any, str]]] = {
    "API": {
        "finding the player": (RedisPlayers, "find"),
        "reading the game": (RedisStore, "since"),
        "writing the answer": (RedisStore, "append"),
        "waking a worker": (Queue, "wake"),
        "holding a request": (Hub, "wait"),
        "having made the reply": (logs, "log_request"),
    },
    "turns worker": {
        "doing a job": (worker.jobs, "advance"),
        "reading the game": (RedisStore, "since"),
        "reading its secrets": (RedisStore, "secrets"),
        "writing what is due": (RedisStore, "append"),
        "waking a worker": (Queue, "wake"),
        "noting an end": (RedisPlayers, "end_game"),
    },
    "bots worker": {
        "doing a job": (worker.jobs, "play_bots"),
        "reading the game": (RedisStore, "since"),
        "reading its secrets": (RedisStore, "secrets"),
        "thinking": (worker.bots, "_answer"),
        "writing the answer": (RedisStore, "append"),
        "waking a worker": (Queue, "wake"),
    },
    "clock": {
        "looking": (worker.clock, "sweep"),
        "counting jobs": (Queue, "waiting"),
        "asking what is due": (RedisStore, "due"),
        "waking a worker": (Queue, "wake"),
        "putting a game off": (RedisStore, "postpone"),
        "asking for the time": (worker.clock, "now"),
    },
}
"""What each process calls, in words, and where that is found."""

POINTS: dict[str, tuple[str, ...]] = {
    role: tuple(f"{when} {what}" for what in calls for when in ("before", "after"))
    for role, calls in CALLS.items()
}
"""The points at which each process can be killed."""


def _mortal(call: Callable[..., Any], what: str, die: Callable[[str], None]) -> Callable[..., Any]:
    @functools.wraps(call)
    def called(*args: Any, **kwargs: Any) -> Any:
        die(f"before {what}")
        result = call(*args, **kwargs)
        die(f"after {what}")
        return result

    return called


def _set_points(role: str, orders: Path) -> None:
    def die(point: str) -> None:
        with suppress(FileNotFoundError):
            (orders / f"{role}, {point}").unlink()
            (orders / "died").write_text(str(time.time_ns() // 1_000_000))
            os.kill(os.getpid(), signal.SIGKILL)

    for what, (owner, name) in CALLS[role].items():
        setattr(owner, name, _mortal(getattr(owner, name), what, die))


def _set_clock(orders: Path) -> None:
    right = time.time_ns

    def wrong_ms() -> int:
        try:
            by_ms = int((orders / "clock").read_text() or 0)
        except FileNotFoundError:
            by_ms = 0
        return right() // 1_000_000 + by_ms

    moments._CLOCK._system = wrong_ms
    moments.BELIEVED_AFTER_MS = 500  # type: ignore[misc]  # what lasts a minute elsewhere


if __name__ == "__main__":
    _orders = Path(os.environ.pop("FAULT_ORDERS"))
    _role = sys.argv.pop(1)
    _set_points(_role, _orders)
    _set_clock(_orders)
    main()
