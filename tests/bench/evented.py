"""The same application on gunicorn's gevent worker, to be measured beside ours: `python -m tests.bench.evented PORT`.

gevent is no part of the service; install it to run this.
"""

from __future__ import annotations

from gevent import monkey

monkey.patch_all()

import os  # noqa: E402  # everything else must find what was patched
import sys  # noqa: E402  # after the patching, which must come first

from flask import Flask  # noqa: E402  # after the patching, which must come first
from gunicorn.app.base import BaseApplication  # noqa: E402  # after the patching, which must come first

from service import logs  # noqa: E402  # after the patching, which must come first
from service.app import create_app  # noqa: E402  # after the patching, which must come first
from service.config import from_environment  # noqa: E402  # after the patching, which must come first
from service.services import connect  # noqa: E402  # after the patching, which must come first


class Server(BaseApplication):  # type: ignore[misc]  # gunicorn ships no types
    """One gunicorn process whose requests are greenlets."""

    def __init__(self, port: int) -> None:
        """Serve on the loopback interface."""
        self._port = port
        super().__init__()

    def load_config(self) -> None:
        """Let it hold as many connections as ours."""
        self.cfg.set("bind", f"127.0.0.1:{self._port}")
        self.cfg.set("worker_class", "gevent")
        self.cfg.set("worker_connections", 5000)
        self.cfg.set("keepalive", 75)
        self.cfg.set("loglevel", "warning")
        self.cfg.set("control_socket_disable", True)

    def load(self) -> Flask:
        """The application, made after the fork."""
        config = from_environment(os.environ)
        logs.configure(config.log_level)
        return create_app(connect(config))


if __name__ == "__main__":
    Server(int(sys.argv[1])).run()
