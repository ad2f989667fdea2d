"""A network between the service and a store, which can be cut: `python -m tests.faults.proxy SOCKET TARGET ORDERS`.

It listens at a Unix socket and passes everything on to another. The file `ORDERS/network` says how it is: `cut` ends all
connections and takes none, `dumb` keeps them and lets nothing through, `to PATH` leads to another server from now on.
"""

from __future__ import annotations

import asyncio
import sys
from contextlib import suppress
from pathlib import Path

LOOK_S = 0.02


class Network:
    """All connections, and how they are at this moment."""

    def __init__(self, socket: Path, target: Path, orders: Path) -> None:
        self.socket = socket
        self.target = target
        self.order = orders / "network"
        self.state = ""
        self.passes = asyncio.Event()
        self.passes.set()
        self.lines: set[asyncio.StreamWriter] = set()

    async def run(self) -> None:
        """Pass on, and follow the orders."""
        server = await asyncio.start_unix_server(self.connect, self.socket)
        while True:
            await asyncio.sleep(LOOK_S)
            state = self.order.read_text().strip() if self.order.exists() else ""
            if state == self.state:
                continue
            self.state = state
            if state.startswith("to "):
                self.target = Path(state.removeprefix("to "))
                self.hang_up()
            if state == "cut":
                server.close()
                self.socket.unlink(missing_ok=True)
                self.hang_up()
            elif not self.socket.exists():
                server = await asyncio.start_unix_server(self.connect, self.socket)
            if state == "dumb":
                self.passes.clear()
            else:
                self.passes.set()

    def hang_up(self) -> None:
        """End every connection."""
        for line in list(self.lines):
            line.transport.abort()

    async def connect(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        """Serve one client."""
        try:
            await self.passes.wait()
            behind = await asyncio.open_unix_connection(self.target)
        except OSError:
            writer.close()
            return
        self.lines |= {writer, behind[1]}
        await asyncio.gather(self.carry(reader, behind[1]), self.carry(behind[0], writer))
        self.lines -= {writer, behind[1]}

    async def carry(self, source: asyncio.StreamReader, sink: asyncio.StreamWriter) -> None:
        """Pass on what comes in one direction."""
        with suppress(OSError):
            while data := await source.read(65536):
                await self.passes.wait()
                sink.write(data)
                await sink.drain()
        with suppress(OSError):
            sink.close()


if __name__ == "__main__":
    asyncio.run(Network(*map(Path, sys.argv[1:4])).run())
