"""The whole service as processes that may be killed at a point, with stores that may be lost and a network to be cut."""

from __future__ import annotations

import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import ExitStack, contextmanager, suppress
from dataclasses import dataclass, field
from pathlib import Path
from threading import Event, Thread

from redis import Redis

from service.store import connect
from service.store.child import Server
from service.store.embedded import Embedded, embedded, find_binary
from take5.child import Child
from tests.e2e.serving import free_port, is_ready

TEND_S = 0.02
READY_WITHIN_S = 60.0
SETTINGS = {
    "TAKE5_THREADS": "200",
    "TAKE5_MAX_WAITING": "180",
    "TAKE5_MAX_STREAMS": "0",
    "TAKE5_PLAYERS_PER_DAY": "1000000",
    "TAKE5_GAMES_PER_DAY": "1000000",
    "TAKE5_CHANGES_PER_HOUR": "1000000",
    "TAKE5_LOG_LEVEL": "error",
}
ARGUMENTS = {
    "clock": ("clock",),
    "bots worker": ("worker", "--queue", "bots"),
    "turns worker": ("worker", "--queue", "turns"),
}


@dataclass
class Stage:
    """A running service: where it answers, its stores, and where orders for it are left."""

    url: str
    data: Path
    orders: Path
    servers: Embedded
    children: dict[str, Child]
    stack: ExitStack
    ended: Event = field(default_factory=Event)
    replica: Server | None = None
    promoted: Server | None = None

    def order(self, name: str, text: str = "") -> None:
        """Leave an order; an empty `clock` or `network` is one that is in order again."""
        fresh = self.orders / ".fresh"
        fresh.write_text(text)
        fresh.replace(self.orders / name)

    def died(self) -> int | None:
        """When a process last died as ordered, in milliseconds since the epoch; asking forgets it."""
        with suppress(FileNotFoundError, ValueError):
            at_ms = int((self.orders / "died").read_text())
            (self.orders / "died").unlink()
            return at_ms
        return None

    def server(self, name: str) -> Server:
        """The store of that name, the one in charge."""
        if name == "games" and self.promoted:
            return self.promoted
        return next(server for server in self.servers.servers if server.name == name)

    def store(self, name: str) -> Redis:
        """A client of a store itself, whatever the network does."""
        return connect.games_client(self.server(name).url, threads=2)

    def replicate(self) -> Server:
        """Start a server that follows the store of the games."""
        home, port = self.data / "replica", free_port()
        home.mkdir()
        held = os.open(home / "held", os.O_RDWR | os.O_CREAT)
        self.stack.callback(os.close, held)
        settings = {"port": "0", "appendonly": "yes", "save": "", "repl-diskless-sync-delay": "0"}
        replica = Server(find_binary(), home, home / "server.sock", settings, held)
        self.stack.callback(replica.stop)
        replica.start()
        with self.store("games") as first, connect.games_client(replica.url, threads=1) as second:
            first.config_set("repl-diskless-sync-delay", 0)
            first.config_set("port", port)
            second.replicaof("127.0.0.1", port)
        return replica

    def promote(self, replica: Server) -> None:
        """Lead everybody to the replica from now on."""
        self.promoted = replica
        self.order("network", f"to {replica.url.removeprefix('unix://')}")

    def kill_store(self, name: str) -> None:
        """Kill -9 a store's server."""
        with self.store(name) as client:
            os.kill(client.info("server")["process_id"], signal.SIGKILL)

    def tend(self) -> None:
        """Start again what has died, as `take5 serve` does, until the stage is left."""
        while not self.ended.wait(TEND_S):
            self.servers.ensure()
            for child in self.children.values():
                child.tend()


def _mortal(role: str, arguments: tuple[str, ...], environment: dict[str, str]) -> Child:
    child = Child(role, arguments, environment)
    child._command = (sys.executable, "-m", "tests.faults.mortal", role, "--tied", *arguments)
    return child


@contextmanager
def staged(place: Path, *, cuttable: str = "") -> Iterator[Stage]:
    """The service while the block lasts; between it and the store `cuttable` lies a network that follows orders."""
    with ExitStack() as stack:
        orders = place / "orders"
        orders.mkdir(parents=True)
        servers = stack.enter_context(embedded(place / "data"))
        urls = {"games": servers.urls.games, "queue": servers.urls.queue}
        if cuttable:
            urls[cuttable] = stack.enter_context(_network(place, urls[cuttable], orders))
        port = free_port()
        environment = {
            **{name: value for name, value in os.environ.items() if not name.startswith("TAKE5_")},
            **SETTINGS,
            "TAKE5_REDIS_URL": urls["games"],
            "TAKE5_QUEUE_URL": urls["queue"],
            "FAULT_ORDERS": str(orders),
        }
        arguments = ARGUMENTS | {"API": ("api", "--port", str(port))}
        children = {role: _mortal(role, arguments[role], environment) for role in arguments}
        stage = Stage(f"http://127.0.0.1:{port}", place / "data", orders, servers, children, stack)
        for child in children.values():
            stack.callback(child.stop)
            child.start()
        tending = Thread(target=stage.tend)
        tending.start()
        stack.callback(tending.join)
        stack.callback(stage.ended.set)
        give_up = time.monotonic() + READY_WITHIN_S
        while not is_ready(stage.url):
            if time.monotonic() > give_up:
                raise RuntimeError("the service does not start")
            time.sleep(TEND_S)
        yield stage


@contextmanager
def _network(place: Path, url: str, orders: Path) -> Iterator[str]:
    socket = place / "net.sock"
    command = (sys.executable, "-m", "tests.faults.proxy", socket, url.removeprefix("unix://"), orders)
    process = subprocess.Popen(command)
    try:
        while not socket.exists():
            time.sleep(TEND_S)
        yield f"unix://{socket}"
    finally:
        process.kill()
        process.wait()
