"""One Redis or Valkey server as a child process that cannot outlive us, whichever way we end."""

import fcntl
import os
import select
import signal
import socket
import subprocess
import time
from contextlib import suppress
from pathlib import Path
from urllib.parse import quote

_POLL_S = 0.002
_STARTED_WITHIN_S = 10.0
_STOPPED_WITHIN_S = 10.0

# A pipe tells a parent's death on every system, kill -9 included, and unlike Linux' death signal it does not depend on
# the thread that started the child.  The shell between us reads it beside the server and outlives neither.
_SHIM = """
exec 3<&0 </dev/null
"$@" 3<&- &
server=$!
(read -r _ <&3; kill "$server") &
watch=$!
wait "$server"
code=$?
kill "$watch" 2>/dev/null
exit "$code"
"""


class ServerFailed(Exception):
    """A server could not be found, did not start, or would not share its directory; the message says what to do."""


def url_of(socket_path: Path) -> str:
    """Return the address of a server that listens there, as `connect` wants it."""
    return f"unix://{quote(str(socket_path))}"


class Server:
    """A server that keeps its configuration, socket, log and data under `home`, and may be started again and again.

    `settings` are the server's own, as in its manual; `socket_path` is where it listens, `held_fd` a file descriptor
    that it keeps open while it lives.
    """

    def __init__(
        self, binary: Path, home: Path, socket_path: Path, settings: dict[str, str], held_fd: int
    ) -> None:
        """Only note where everything is; `start` starts it."""
        self.name = home.name
        self.url = url_of(socket_path)
        self._binary = binary
        self._home = home
        self._socket = socket_path
        self._settings = settings | {"dir": str(home), "unixsocket": str(socket_path)}
        self._held_fd = held_fd
        self._process: subprocess.Popen[bytes] | None = None
        self._end_fd = (
            -1
        )  # of a pipe whose other end the server and the shells around it have: it closes with the last

    @property
    def is_running(self) -> bool:
        """Whether the process lives; it may still be reading its log."""
        return self._process is not None and self._process.poll() is None

    def start(self) -> None:
        """Start the server, or start it again, and return when it answers; raises ServerFailed with its last words."""
        self.stop()
        self._home.mkdir(mode=0o700, parents=True, exist_ok=True)
        config = self._home / "server.conf"
        config.write_text("".join(f"{name} {_quoted(value)}\n" for name, value in self._settings.items()))
        end_fd, lives_fd = os.pipe()
        kept_fds = [_out_of_the_way(fd) for fd in (self._held_fd, lives_fd)]
        try:
            with (self._home / "server.log").open("wb") as log:
                self._process = subprocess.Popen(  # noqa: S603 - our own binary and our own file
                    ["/bin/sh", "-c", _SHIM, "take5-store", str(self._binary), str(config)],
                    stdin=subprocess.PIPE,
                    stdout=log,
                    stderr=log,
                    pass_fds=kept_fds,
                    process_group=0,  # so that Ctrl-C reaches us first, and we stop it in order
                )
            self._end_fd = end_fd
        finally:
            for fd in (lives_fd, *kept_fds):
                os.close(fd)
        try:
            self._await_answer()
        except BaseException:
            self.stop()
            raise

    def _await_answer(self) -> None:
        deadline = time.monotonic() + _STARTED_WITHIN_S
        while (answer := self._ping()) != b"+PONG":
            if answer.startswith(b"-LOADING"):
                deadline = time.monotonic() + _STARTED_WITHIN_S
            if not self.is_running or time.monotonic() > deadline:
                words = (self._home / "server.log").read_text(errors="replace").strip().splitlines()[-3:]
                raise ServerFailed(f"{self._binary} did not start: {' / '.join(words) or 'it said nothing'}")
            time.sleep(_POLL_S)

    def _ping(self) -> bytes:
        with suppress(OSError), socket.socket(socket.AF_UNIX) as line:
            line.settimeout(_STARTED_WITHIN_S)
            line.connect(str(self._socket))
            line.sendall(b"PING\r\n")
            return line.recv(1024).strip()
        return b""

    def stop(self) -> None:
        """Let the server finish what it owes its disk, and return when it is gone; harmless when it is not running.

        Gone means the server itself, not only the shell before it, which may have been killed alone: the next one must
        not share its log, nor have its socket removed.
        """
        process, self._process = self._process, None
        if process is None:
            return
        deadline = time.monotonic() + _STOPPED_WITHIN_S
        with suppress(subprocess.TimeoutExpired):
            process.communicate(timeout=_STOPPED_WITHIN_S)  # closes the pipe, which tells the shim
        if not self._has_ended(deadline - time.monotonic()):
            os.killpg(process.pid, signal.SIGKILL)
            process.wait()
            self._has_ended(_STOPPED_WITHIN_S)
        os.close(self._end_fd)

    def _has_ended(self, within_s: float) -> bool:
        return bool(select.select([self._end_fd], [], [], max(within_s, 0))[0])


def _out_of_the_way(fd: int) -> int:
    """The same file under a number that the shell does not use itself."""
    return fcntl.fcntl(fd, fcntl.F_DUPFD_CLOEXEC, 10)


def _quoted(value: str) -> str:
    escaped = value.replace("\\", "\\\\").replace('"', '\\"').replace("\n", "\\n")
    return f'"{escaped}"'
