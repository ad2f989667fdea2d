"""The yardstick: a Flask route that does one Redis GET and nothing else, on the server that the service runs on.

`python -m tests.bench.bare PORT REDIS_URL`
"""

from __future__ import annotations

import sys

from flask import Flask, Response
from gunicorn.app.base import BaseApplication

from service.config import Config
from service.store import connect
from take5.server import connections


class Server(BaseApplication):  # type: ignore[misc]  # gunicorn ships no types
    """One gunicorn process with as many threads as the service has."""

    def __init__(self, port: int, url: str) -> None:
        """Serve on the loopback interface."""
        self._port, self._url = port, url
        super().__init__()

    def load_config(self) -> None:
        """Choose the service's kind of server."""
        self.cfg.set("bind", f"127.0.0.1:{self._port}")
        self.cfg.set("worker_class", "gthread")
        self.cfg.set("threads", Config().threads)
        self.cfg.set("worker_connections", connections(Config()))
        self.cfg.set("loglevel", "warning")
        self.cfg.set("control_socket_disable", True)

    def load(self) -> Flask:
        """The application, made after the fork."""
        client = connect.games_client(self._url, Config().threads)
        client.set("bench", b'{"bare":true}' + b" " * 1500)
        app = Flask(__name__)

        @app.get("/")
        def bare() -> Response:
            return Response(client.get("bench"), content_type="application/json")

        return app


if __name__ == "__main__":
    Server(int(sys.argv[1]), sys.argv[2]).run()
