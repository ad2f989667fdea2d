"""The HTTP service in gunicorn's threaded server, as `take5 api` runs it."""

from __future__ import annotations

import resource
import signal
from threading import Thread
from types import FrameType
from typing import Any

from flask import Flask
from gunicorn import glogging
from gunicorn.app.base import BaseApplication

from service import logs
from service.app import create_app
from service.bounds import HEADER_BYTES, HEADERS, REQUEST_LINE_BYTES
from service.config import Config
from service.services import Services, connect
from service.store import fitness
from take5.environment import settings_with_servers

CONNECTIONS = 2048
"""How many connections one process keeps open beside those it is answering, where the system lets it."""

SPARE_DESCRIPTORS = 64
"""What a process opens beside the connections to clients and to the store."""


def serve(host: str, port: int, processes: int) -> None:
    """Serve until a signal ends this process; raises click.ClickException for settings that make no sense."""
    config = settings_with_servers()
    logs.configure(config.log_level)
    _Server(config, bind=address(host, port), workers=processes).run()


def address(host: str, port: int) -> str:
    """Host and port as they stand in a URL."""
    return f"[{host}]:{port}" if ":" in host else f"{host}:{port}"


def connections(config: Config) -> int:
    """How many connections this process may keep open, once it has the descriptors that it can get.

    It must never run out of them: then it could not even take a connection to refuse it.
    """
    others = config.store_connections + SPARE_DESCRIPTORS
    needed = CONNECTIONS + config.threads + others
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    if soft != resource.RLIM_INFINITY and soft < needed:
        soft = needed if hard == resource.RLIM_INFINITY else min(needed, hard)
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    else:
        soft = needed
    return max(config.threads + 1, soft - others)


class _Log(glogging.Logger):  # type: ignore[misc]  # the package ships no types
    """gunicorn's own words, written as all others are."""

    def setup(self, cfg: Any) -> None:
        """Leave the writing to the root logger."""
        super().setup(cfg)
        self.error_log.handlers.clear()
        self.error_log.propagate = True


class _Server(BaseApplication):  # type: ignore[misc]  # the package ships no types
    """gunicorn with our settings. Everything is imported before it forks and connected after."""

    def __init__(self, config: Config, **settings: Any) -> None:
        self._config = config
        self._settings = settings
        self._services: Services | None = None
        super().__init__()

    def load_config(self) -> None:
        """Give gunicorn its settings.

        Processes are not replaced after so many requests, as some advise against leaks: the held requests would keep
        the old one, and everybody waiting, for seconds.
        """
        settings = {
            "worker_class": "service.gateway.Worker",
            "threads": self._config.threads,
            "worker_connections": connections(self._config),
            "limit_request_line": REQUEST_LINE_BYTES,
            "limit_request_fields": HEADERS,
            "limit_request_field_size": HEADER_BYTES,
            "keepalive": 75,
            # Nobody's word for where a request comes from or leads to; addresses are believed by `trusted_proxies`.
            "forwarded_allow_ips": "",
            "graceful_timeout": 10,
            "logger_class": _Log,
            "loglevel": "warning" if self._config.log_level == "debug" else self._config.log_level,
            "control_socket_disable": True,
            "post_worker_init": self._begin,
            "worker_exit": self._close,
            **self._settings,
        }
        for name, value in settings.items():
            self.cfg.set(name, value)

    def load(self) -> Flask:
        """The application, in the process that serves it."""
        self._services = connect(self._config)
        return create_app(self._services)

    def _begin(self, worker: Any) -> None:
        if worker.age == 1:  # one process speaks for all of them
            fitness.tell_soon(self._config.redis_url, self._config.queue_url)
        self._send_home_on_exit()

    def _send_home_on_exit(self) -> None:
        """Have the signal to end answer every held request first, or the process would wait for them."""
        leave = signal.getsignal(signal.SIGTERM)

        def end(number: int, frame: FrameType | None) -> None:
            if self._services:
                Thread(target=self._services.hub.close).start()  # it takes a lock, which a handler must not
            if callable(leave):
                leave(number, frame)

        signal.signal(signal.SIGTERM, end)

    def _close(self, server: Any, worker: Any) -> None:
        if self._services:
            self._services.close()
