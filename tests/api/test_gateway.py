"""What gunicorn itself must answer is a problem document, too."""

import json
import logging
import resource
import selectors
import socket
from collections import deque
from contextlib import ExitStack
from functools import partial
from types import SimpleNamespace
from typing import Any

import pytest
from gunicorn.http import errors

from service.codes import CODES
from service.config import Config
from service.gateway import Worker
from take5.server import connections

WORKER: Any = SimpleNamespace(log=logging.getLogger("gateway"))


@pytest.mark.parametrize(
    ("error", "code"),
    [
        (errors.LimitRequestLine(9999, 4094), "uri_too_long"),
        (errors.LimitRequestHeaders("too many"), "headers_too_large"),
        (errors.UnsupportedTransferCoding("zip"), "not_implemented"),
        (errors.InvalidRequestLine("GET <script>"), "bad_request"),
        (errors.InvalidHeader("a b"), "bad_request"),
        (RuntimeError("secret"), "internal_error"),
    ],
)
def test_what_is_no_request_is_answered_with_a_problem(error: Exception, code: str) -> None:
    ours, theirs = socket.socketpair()
    with ours, theirs:
        Worker.handle_error(WORKER, None, ours, None, error)
        ours.shutdown(socket.SHUT_WR)
        head, body = theirs.makefile("rb").read().split(b"\r\n\r\n")
    assert head.startswith(f"HTTP/1.1 {CODES[code].status} ".encode())
    assert b"Content-Type: application/problem+json" in head
    assert b"Connection: close" in head
    assert f"Content-Length: {len(body)}".encode() in head
    assert b"Server-Time-Ms: " in head
    assert b"X-Frame-Options: DENY" in head
    assert b"Content-Security-Policy: default-src 'none'" in head
    problem = json.loads(body)
    assert problem["code"] == code
    assert f"X-Request-Id: {problem['request_id']}".encode() in head
    assert b"secret" not in body
    assert b"script" not in body


def test_a_client_that_has_gone_is_no_failure() -> None:
    ours, theirs = socket.socketpair()
    theirs.close()
    with ours:
        Worker.handle_error(WORKER, None, ours, None, errors.InvalidHeader("a b"))
        with pytest.raises(OSError, match="pipe"):
            ours.send(b"x")


@pytest.mark.parametrize(
    ("limits", "raised_to", "expected"),
    [
        ((1024, 1_000_000), 2048 + 100 + 60 + 64, 2048 + 100),
        ((1024, 1024), 1024, 1024 - 60 - 64),
        ((256, resource.RLIM_INFINITY), 2048 + 100 + 60 + 64, 2048 + 100),
        ((1_000_000, 1_000_000), None, 2048 + 100),
        ((resource.RLIM_INFINITY, resource.RLIM_INFINITY), None, 2048 + 100),
        ((64, 64), 64, 101),
    ],
)
def test_there_are_never_more_connections_than_descriptors(
    monkeypatch: pytest.MonkeyPatch, limits: tuple[int, int], raised_to: int | None, expected: int
) -> None:
    raised: list[tuple[int, int]] = []
    monkeypatch.setattr(resource, "getrlimit", lambda _: limits)
    monkeypatch.setattr(resource, "setrlimit", lambda _, wanted: raised.append(wanted))
    assert connections(Config(threads=100, max_waiting=10, max_streams=40)) == expected
    assert raised == ([] if raised_to is None else [(raised_to, limits[1])])


def test_a_process_that_is_told_to_end_before_it_serves_ends_like_any_other() -> None:
    worker = Worker.__new__(Worker)
    worker.cfg, worker.poller, worker.alive, worker._accepting = (
        None,
        selectors.DefaultSelector(),
        False,
        False,
    )
    worker.nr_conns, worker.worker_connections, worker.pending_conns = 0, 3, deque()
    with worker.poller, socket.create_server(("127.0.0.1", 0)) as listener:
        worker.sockets = [listener]
        for enabled in (True, False, False):
            worker.set_accept_enabled(enabled)
        assert listener.fileno() == -1


def worker_of_three_connections() -> Any:
    worker = Worker.__new__(Worker)
    worker.cfg, worker.poller, worker.alive, worker._accepting = (
        None,
        selectors.DefaultSelector(),
        True,
        False,
    )
    worker.nr_conns, worker.worker_connections = 0, 3
    worker.pending_conns, worker.keepalived_conns, worker._leaving = deque(), deque(), deque()
    return worker


def test_who_takes_long_to_close_holds_no_more_connections_than_there_may_be() -> None:
    worker = worker_of_three_connections()
    with ExitStack() as stack:
        stack.callback(worker.poller.close)
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        for _ in range(9):
            stack.enter_context(socket.create_connection(listener.getsockname(), timeout=5))
            worker.accept(listener)
            conn = worker.pending_conns.popleft()  # it is answered,
            worker.poller.unregister(conn.sock)
            worker.nr_conns -= 1
            conn.close(graceful=True)  # and its client does not close its side
            assert worker.nr_conns == len(worker._leaving) < 3
        for conn in worker._leaving:
            conn.timeout = 0
        worker.murder_pending()
        assert (worker.nr_conns, len(worker.poller.get_map())) == (0, 0)


@pytest.mark.parametrize("idle", ["pending", "kept"])
def test_who_speaks_at_the_moment_at_which_it_has_to_leave_ends_nothing_else(idle: str) -> None:
    worker = worker_of_three_connections()
    with ExitStack() as stack:
        stack.callback(worker.poller.close)
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        clients: list[socket.socket] = []

        def come() -> None:
            clients.append(stack.enter_context(socket.create_connection(listener.getsockname(), timeout=5)))

        for _ in range(2):
            come()
            worker.accept(listener)
        if idle == "kept":
            for conn in worker.pending_conns:
                kept = partial(worker.on_client_socket_readable, conn)
                worker.poller.modify(conn.sock, selectors.EVENT_READ, kept)
            worker.keepalived_conns, worker.pending_conns = worker.pending_conns, deque()
        worker.sockets = [listener]
        worker.set_accept_enabled(True)
        come()
        clients[0].sendall(b"G")  # the poller tells of both at once
        worker.wait_for_and_dispatch_events(5)
        with pytest.raises(ConnectionResetError):
            clients[0].recv(1)
        assert worker.nr_conns == 2
        for conn in (*worker.pending_conns, *worker.keepalived_conns):
            conn.close()


def test_who_comes_is_let_in_and_who_was_idle_longest_has_to_leave() -> None:
    worker = worker_of_three_connections()
    with ExitStack() as stack:
        stack.callback(worker.poller.close)
        listener = stack.enter_context(socket.create_server(("127.0.0.1", 0)))
        clients: list[socket.socket] = []
        for _ in range(4):
            clients.append(
                stack.enter_context(socket.create_connection(listener.getsockname(), timeout=0.05))
            )
            worker.accept(listener)
        for client in clients[:2]:
            assert client.recv(1) == b""
        for client in clients[2:]:
            with pytest.raises(TimeoutError):
                client.recv(1)
        assert worker.nr_conns == len(worker.pending_conns) == 2
        for conn in worker.pending_conns:
            conn.close()
