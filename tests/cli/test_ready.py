"""A service on this machine is reached also where the environment names a proxy."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, HTTPServer
from threading import Thread

import pytest

from take5.client import Client
from take5.ready import is_ready


class Answering(BaseHTTPRequestHandler):
    """Says to every GET that all is well."""

    def do_GET(self) -> None:
        self.send_response(200)
        self.send_header("Content-Length", "2")
        self.end_headers()
        self.wfile.write(b"{}")

    def log_message(self, format: str, *arguments: object) -> None:  # noqa: A002  # the library's own name
        """Say nothing."""


@pytest.fixture
def url(monkeypatch: pytest.MonkeyPatch) -> Iterator[str]:
    """Where somebody answers, in an environment with a proxy that does not."""
    for name in ("http_proxy", "HTTP_PROXY", "all_proxy"):
        monkeypatch.setenv(name, "http://127.0.0.1:9")
    monkeypatch.delenv("no_proxy", raising=False)
    monkeypatch.delenv("NO_PROXY", raising=False)
    with HTTPServer(("127.0.0.1", 0), Answering) as server:
        thread = Thread(target=server.serve_forever, args=(0.01,))
        thread.start()
        yield f"http://127.0.0.1:{server.server_port}"
        server.shutdown()
        thread.join()


def test_no_proxy_is_asked_whether_it_is_ready(url: str) -> None:
    assert is_ready(url)


def test_no_proxy_is_asked_to_play_there(url: str) -> None:
    with Client(url, patience_s=0) as client:
        assert client.me() == {}


def test_where_nobody_listens_nothing_is_ready() -> None:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port = probe.getsockname()[1]
    assert not is_ready(f"http://127.0.0.1:{port}")
