"""The processes that the benchmarks measure: the whole service, and beside it the barest Flask route on the same server."""

from __future__ import annotations

import os
import socket
import subprocess
import sys
import tempfile
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from pathlib import Path

from service.store.embedded import Urls, embedded

TAKE5 = (sys.executable, "-m", "take5.cli")


@dataclass(frozen=True, slots=True)
class Stack:
    """Where the service and the bare route listen, and where the service keeps its games and jobs."""

    service: int
    bare: int
    urls: Urls


def free_port() -> int:
    """A port of the loopback interface that nobody listens on now."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


@contextmanager
def running() -> Iterator[Stack]:
    """The store, the API, both workers, the clock and the bare route as processes; ended with the block."""
    with ExitStack() as stack:
        data = Path(stack.enter_context(tempfile.TemporaryDirectory(prefix="take5-bench-")))
        urls = stack.enter_context(embedded(data)).urls
        service, bare = free_port(), free_port()
        # Requests are counted as ever, and the rate is never used up.
        settings = {**environment(urls), "TAKE5_RATE_READING": "1000000 per 10 seconds"}
        for command in (
            (*TAKE5, "api", "--port", str(service)),
            (*TAKE5, "worker", "--queue", "turns"),
            (*TAKE5, "worker", "--queue", "bots"),
            (*TAKE5, "clock"),
            (sys.executable, "-m", "tests.bench.bare", str(bare), urls.games),
        ):
            stack.callback(end, subprocess.Popen(command, env=settings))
        await_answer(f"http://127.0.0.1:{service}/healthz")
        await_answer(f"http://127.0.0.1:{bare}/")
        yield Stack(service, bare, urls)


def environment(urls: Urls) -> dict[str, str]:
    """What the processes of a service on these stores find in their environment."""
    return {
        **{name: value for name, value in os.environ.items() if not name.startswith("TAKE5_")},
        "TAKE5_REDIS_URL": urls.games,
        "TAKE5_QUEUE_URL": urls.queue,
        "TAKE5_LOG_LEVEL": "warning",
    }


def end(process: subprocess.Popen[bytes]) -> None:
    """End a process in order; by force when that takes too long."""
    process.terminate()
    try:
        process.wait(15)
    except subprocess.TimeoutExpired:
        process.kill()
        process.wait()


def await_answer(url: str) -> None:
    """Return when somebody answers there."""
    give_up = time.monotonic() + 30
    while True:
        try:
            with urllib.request.urlopen(url, timeout=5):  # an address of our own
                return
        except (urllib.error.URLError, ConnectionError):
            if time.monotonic() > give_up:
                raise
            time.sleep(0.05)
