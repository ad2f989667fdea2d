"""`/metrics` of a process that serves nothing else: of workers and clocks in containers or units of their own."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from contextlib import contextmanager
from http.server import BaseHTTPRequestHandler
from socketserver import ThreadingTCPServer
from threading import Thread
from typing import Final

import click
from prometheus_client import exposition

from service.metrics import counted, is_for_reader

PATIENCE_S: Final = 10.0
"""How long a reader may take to say what it wants, and to read it."""

_POLL_S: Final = 0.1


class _Server(ThreadingTCPServer):
    allow_reuse_address = True
    daemon_threads = True

    def __init__(self, host: str, port: int, token: str) -> None:
        self.address_family = socket.AF_INET6 if ":" in host else socket.AF_INET
        self.token = token
        super().__init__((host, port), _Reader)

    def handle_error(self, request: object, client_address: object) -> None:
        """Say nothing of a reader that went away."""


class _Reader(BaseHTTPRequestHandler):
    """Answers as the API's /metrics does, and leaves no line in the log."""

    server: _Server
    timeout = PATIENCE_S
    server_version, sys_version = "take5", ""

    def do_GET(self) -> None:
        """Show what is counted to who sends the token."""
        if self.path.partition("?")[0] != "/metrics":
            self._answer(404, b"There is nothing but /metrics here.\n")
        elif not is_for_reader(self.headers.get("Authorization"), self.server.token):
            self._answer(401, b"Send the metrics token as a bearer token.\n")
        else:
            self._answer(200, exposition.generate_latest(counted()))

    def _answer(self, status: int, body: bytes) -> None:
        self.send_response(status)
        self.send_header(
            "Content-Type",
            exposition.CONTENT_TYPE_PLAIN_0_0_4 if status == 200 else "text/plain; charset=utf-8",
        )
        self.send_header("Content-Length", str(len(body)))
        if status == 401:
            self.send_header("WWW-Authenticate", "Bearer")
        self.end_headers()
        self.wfile.write(body)

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002  # the library's own name
        """Say nothing."""


@contextmanager
def scraped(host: str, port: int | None, token: str) -> Iterator[None]:
    """Show what this process counts while the block lasts; nothing without a port.

    Raises click.ClickException without a token, and when nobody can listen there.
    """
    if port is None:
        yield
        return
    if not token:
        raise click.ClickException("--metrics-port wants TAKE5_METRICS_TOKEN, which its readers send.")
    try:
        server = _Server(host, port, token)
    except OSError as error:
        raise click.ClickException(f"Cannot listen on {host} port {port}: {error.strerror}.") from error
    with server:
        thread = Thread(target=server.serve_forever, args=(_POLL_S,), name="take5-metrics", daemon=True)
        thread.start()
        try:
            yield
        finally:
            server.shutdown()
