"""A service of one's own for a while: `with own_service() as url`, gone afterwards with all its games."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from types import FrameType
from typing import Final

import click

from take5.progress import Progress
from take5.ready import is_ready

_READY_WITHIN_S: Final = 30.0
_LOOK_S: Final = 0.05
_STOPPED_WITHIN_S: Final = 20.0
_ELSEWHERE: Final = frozenset({"TAKE5_REDIS_URL", "TAKE5_QUEUE_URL", "TAKE5_PUBLIC_URL"})
"""Settings of some other service in the environment: this one keeps to itself."""


@contextmanager
def own_service() -> Iterator[str]:
    """Run `take5 serve` on a free port with a data directory that is thrown away; the URL once it is ready.

    Ends in order also when the terminal is closed. Raises click.ClickException with the service's own words when it does
    not start.
    """
    with _leaving_in_order(), TemporaryDirectory(prefix="take5-", ignore_cleanup_errors=True) as place:
        words = Path(place) / "words.txt"
        port = _free_port()
        url = f"http://127.0.0.1:{port}"
        command = (sys.executable, "-m", "take5.cli", "--tied", "serve", "--port", str(port))
        environment = {name: value for name, value in os.environ.items() if name not in _ELSEWHERE}
        with words.open("wb") as written:
            process = subprocess.Popen(  # noqa: S603  # our own command
                (*command, "--host", "127.0.0.1", "--data", str(Path(place) / "data"), "--fsync", "no"),
                stdin=subprocess.PIPE,  # `--tied`: when we are gone, this closes and the service ends
                stdout=written,
                stderr=written,
                env=environment,
                process_group=0,  # so that Ctrl-C reaches only us
            )
        try:
            with Progress("starting the service"):
                _await(process, url, words)
            yield url
        finally:
            process.terminate()
            with suppress(subprocess.TimeoutExpired):
                process.wait(_STOPPED_WITHIN_S)
            process.kill()
            process.communicate()


@contextmanager
def _leaving_in_order() -> Iterator[None]:
    before = {number: signal.signal(number, _leave) for number in (signal.SIGTERM, signal.SIGHUP)}
    try:
        yield
    finally:
        for number, handler in before.items():
            signal.signal(number, handler)


def _leave(number: int, frame: FrameType | None) -> None:
    """End as by an exception, so that everything begun is ended."""
    sys.exit(128 + number)


def _await(process: subprocess.Popen[bytes], url: str, words: Path) -> None:
    give_up = time.monotonic() + _READY_WITHIN_S
    while process.poll() is None and time.monotonic() < give_up:
        if is_ready(url):
            return
        time.sleep(_LOOK_S)
    raise click.ClickException(f"The service does not start.\n{words.read_text(errors='replace')}".rstrip())


def _free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        return int(probe.getsockname()[1])
