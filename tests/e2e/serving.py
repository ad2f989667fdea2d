"""The whole service as a user starts it, `take5 serve`, on a free port and a data directory of its own."""

from __future__ import annotations

import os
import signal
import socket
import subprocess
import sys
import time
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from pathlib import Path

ROLES = {
    "turns worker": "--tied worker --queue turns",
    "bots worker": "--tied worker --queue bots",
    "clock": "--tied clock",
    "API": "--tied api",
    "games store": "games/server.sock",
    "queue": "queue/server.sock",
}
"""The processes of the service, each by a part of its command line."""


@dataclass(frozen=True, slots=True)
class Served:
    """A running service: its address, its data, and the process that keeps all the others."""

    url: str
    data: Path
    supervisor: subprocess.Popen[bytes]

    @property
    def games_url(self) -> str:
        """Where its store of games listens."""
        return f"unix://{self.data}/games/server.sock"

    def pids(self, role: str) -> list[int]:
        """The processes of a role, parents before their children."""
        family, found = {self.supervisor.pid}, []
        for pid, parent, command in processes():
            if parent in family:
                family.add(pid)
                if ROLES[role] in command:
                    found.append(pid)
        return found

    def kill(self, role: str, index: int = 0) -> bool:
        """Kill -9 a process of a role; whether one was running."""
        running = self.pids(role)
        if not running:
            return False
        with suppress(ProcessLookupError):
            os.kill(running[index % len(running)], signal.SIGKILL)
        return True

    def family(self) -> set[int]:
        """Every process that the service consists of."""
        family = {self.supervisor.pid}
        for pid, parent, _ in processes():
            if parent in family:
                family.add(pid)
        return family


def processes() -> list[tuple[int, int, str]]:
    """Every process of this machine as `(id, parent's id, command line)`, parents first as far as their ids tell."""
    listed = subprocess.run(
        ["ps", "-A", "-ww", "-o", "pid=,ppid=,command="], capture_output=True, text=True, check=True
    )
    rows = [line.split(maxsplit=2) for line in listed.stdout.splitlines()]
    return sorted((int(row[0]), int(row[1]), row[2] if len(row) > 2 else "") for row in rows)


def free_port() -> int:
    """A port of the loopback interface that nobody listens on now."""
    with socket.socket() as listener:
        listener.bind(("127.0.0.1", 0))
        port: int = listener.getsockname()[1]
        return port


def start(data: Path, log: Path, **settings: str) -> Served:
    """Start the service and return when it is ready; `settings` are `TAKE5_` variables, its words go to `log`."""
    environment = {name: value for name, value in os.environ.items() if not name.startswith("TAKE5_")}
    environment |= {f"TAKE5_{name.upper()}": value for name, value in settings.items()}
    port = free_port()
    command = [sys.executable, "-m", "take5.cli", "serve", "--port", str(port), "--data", str(data)]
    with log.open("ab") as words:
        supervisor = subprocess.Popen(
            command, env=environment, stdout=words, stderr=words, stdin=subprocess.DEVNULL
        )
    served = Served(f"http://127.0.0.1:{port}", data, supervisor)
    give_up = time.monotonic() + 60
    while not is_ready(served.url):
        if supervisor.poll() is not None or time.monotonic() > give_up:
            stop(served)
            raise RuntimeError(f"the service did not start: {log.read_text()}")
        time.sleep(0.05)
    return served


def is_ready(url: str) -> bool:
    """Whether the service says that it is fit to serve."""
    try:
        with urllib.request.urlopen(f"{url}/readyz", timeout=5) as answer:
            return bool(answer.status == 200)
    except (urllib.error.URLError, OSError):
        return False


def stop(served: Served, how: signal.Signals = signal.SIGINT) -> int:
    """End the service, as Ctrl-C does unless another signal is given, and return its exit code."""
    served.supervisor.send_signal(how)
    try:
        return served.supervisor.wait(40)
    except subprocess.TimeoutExpired:
        served.supervisor.kill()
        return served.supervisor.wait()


@contextmanager
def serving(data: Path, log: Path, **settings: str) -> Iterator[Served]:
    """The service while the block lasts."""
    served = start(data, log, **settings)
    try:
        yield served
    finally:
        stop(served)
