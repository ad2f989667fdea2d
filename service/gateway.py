"""gunicorn's threaded worker, made fit for clients that are slow or speak no HTTP.

A thread is taken by a request that has arrived, never by one that is awaited; so clients that hang cost a descriptor each,
and nobody has to wait for them. What never becomes a request is answered as the application would: with a problem document.
Use it as `--worker-class service.gateway.Worker`.
"""

from __future__ import annotations

import selectors
import socket
import time
from collections import deque
from contextlib import suppress
from functools import partial
from typing import Any, Final

import orjson
from gunicorn import util
from gunicorn.http import errors
from gunicorn.workers.gthread import TConn, ThreadWorker

from service.http.headers import EVERY_ANSWER, NOTHING_RUNS, new_request_id, server_time_ms
from service.lines import Line, is_readable
from service.problems import MEDIA_TYPE, Problem

ARRIVES_WITHIN_S: Final = 15.0
"""How long a request may take to arrive before its connection is closed."""

ENDS_WITHIN_S: Final = 2.0
"""The same once the process is about to end: a client that sends no request must not keep it from that."""

CLOSED_WITHIN_S: Final = 2.0
"""How long a client may take to close its side after ours, so that it reads the answer to the end."""


class _Connection(TConn):  # type: ignore[misc]  # the package ships no types
    """A connection that its worker closes without waiting for the client."""

    def __init__(self, worker: Worker, line: Line, client: Any, server: Any) -> None:
        super().__init__(worker.cfg, line, client, server)
        self._worker = worker

    def close(self, graceful: bool = False) -> None:  # gunicorn's own signature
        """Close at once, or have the worker do it when the client has read everything."""
        if graceful:
            self._worker.see_off(self)
        else:
            super().close()


class Worker(ThreadWorker):  # type: ignore[misc]  # the package ships no types
    """Serves a request a thread; a client that speaks no HTTP gets a problem document and a closed connection."""

    sockets: list[socket.socket]

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        super().__init__(*args, **kwargs)
        self._leaving: deque[_Connection] = deque()

    def accept(self, listener: socket.socket) -> None:
        """Take a new connection, and await its request."""
        try:
            accepted, client = listener.accept()
        except (
            OSError
        ) as error:  # somebody else took it, the client has gone, or the system is short of something
            self.log.debug("no connection was taken: %s", error)
            return
        self.nr_conns += 1
        self._make_room()
        self._await_request(_Connection(self, Line(accepted), client, listener.getsockname()))

    def _make_room(self) -> None:
        """Close the connection that has been leaving, or idle, longest when there are too many: whoever comes is let in."""
        idle = self._leaving or self.pending_conns or self.keepalived_conns
        if self.nr_conns >= self.worker_connections and idle:
            self._drop(idle.popleft())

    def _drop(self, conn: _Connection) -> None:
        self.poller.unregister(conn.sock)
        self.nr_conns -= 1
        conn.close()

    def set_accept_enabled(self, enabled: bool) -> None:  # gunicorn's own signature
        """Take new connections or not; when the process is about to end it is for good."""
        super().set_accept_enabled(enabled)
        if not enabled and not self.alive:
            self._let_nobody_in()

    def _let_nobody_in(self) -> None:
        """Take those in who have knocked, refuse whoever comes from now on, and await no request for long."""
        listeners, self.sockets = self.sockets, []
        for listener in listeners:
            while is_readable(listener):
                self.accept(listener)
            listener.close()
        until_s = time.monotonic() + ENDS_WITHIN_S
        for conn in self.pending_conns:
            conn.timeout = min(conn.timeout, until_s)

    def _await_request(self, conn: _Connection) -> None:
        conn.timeout = time.monotonic() + (ARRIVES_WITHIN_S if self.alive else ENDS_WITHIN_S)
        self.pending_conns.append(conn)
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self.on_pending_socket_readable, conn))

    def on_pending_socket_readable(self, conn: _Connection, client: Line) -> None:
        """Give the request to a thread once it has arrived."""
        if not _had_to_leave(client) and client.gather():
            super().on_pending_socket_readable(conn, client)

    def on_client_socket_readable(self, conn: _Connection, client: Line) -> None:
        """The same for the next request on a connection that was kept."""
        if _had_to_leave(client):
            return
        if client.gather():
            super().on_client_socket_readable(conn, client)
        else:
            self.poller.unregister(client)
            self.keepalived_conns.remove(conn)
            self._await_request(conn)

    def see_off(self, conn: _Connection) -> None:
        """Close our side of a connection, and all of it when the client has closed its own, or takes too long.

        Until then it counts among those that are open: it has a descriptor.
        """
        conn.sock.setblocking(False)
        with suppress(OSError):  # the client may have gone
            conn.sock.shutdown(socket.SHUT_WR)
        conn.timeout = time.monotonic() + CLOSED_WITHIN_S
        self._leaving.append(conn)
        self.poller.register(conn.sock, selectors.EVENT_READ, partial(self._on_leaving, conn))
        self.nr_conns += 1

    def _on_leaving(self, conn: _Connection, client: Line) -> None:
        if not _had_to_leave(client) and client.drain():
            self._leaving.remove(conn)
            self._drop(conn)

    def murder_pending(self) -> None:
        """Close what was awaited for too long; gunicorn asks for it every second."""
        super().murder_pending()
        while self._leaving and self._leaving[0].timeout <= time.monotonic():
            self._drop(self._leaving.popleft())

    def handle_error(self, req: Any, client: socket.socket, addr: Any, exc: BaseException) -> None:
        """Answer what gunicorn could not read, or could not write; a client that has gone is told nothing."""
        request_id = new_request_id()
        problem = Problem(_code(exc))
        self.log.warning("unreadable request: %s, request_id %s", type(exc).__name__, request_id)
        try:
            util.write_nonblock(client, _written(problem, request_id))
        except OSError:
            self.log.debug("the client of request_id %s has gone", request_id)


def _had_to_leave(client: Line) -> bool:
    """Whether a connection was closed to make room since the poller said that something had arrived there."""
    return client.fileno() < 0


def _code(error: BaseException) -> str:
    match error:
        case errors.LimitRequestLine():
            return "uri_too_long"
        case errors.LimitRequestHeaders():
            return "headers_too_large"
        case errors.UnsupportedTransferCoding():
            return "not_implemented"
        case errors.ParseException():
            return "bad_request"
        case _:
            return "internal_error"


def _written(problem: Problem, request_id: str) -> bytes:
    """Return the whole answer as it goes over the wire."""
    body = orjson.dumps(problem.document(request_id))
    headers = {
        **EVERY_ANSWER,
        "Content-Security-Policy": NOTHING_RUNS,
        "Cache-Control": "no-store",
        "Connection": "close",
        "Content-Length": str(len(body)),
        "Content-Type": MEDIA_TYPE,
        "Server-Time-Ms": server_time_ms(),
        "X-Request-Id": request_id,
    }
    head = "".join(f"{name}: {value}\r\n" for name, value in headers.items())
    return f"HTTP/1.1 {problem.status} {problem.title}\r\n{head}\r\n".encode() + body
