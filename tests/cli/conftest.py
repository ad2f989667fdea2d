"""A service in this process for the client: the application in memory, with a worker that is done before each answer."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import httpx
import orjson
import pytest
from click.testing import CliRunner
from flask import Flask
from flask.testing import FlaskClient

from engine.compact import compact
from engine.files import events_file
from engine.log import Envelope
from service.config import Config
from service.services import Services, in_memory
from take5 import play as play_module
from take5.client import Client
from take5.play import play
from tests.api.applications import application
from tests.api.played import finished
from worker.bots import play_bots
from worker.turns import advance

URL = "http://service.test"


class Service(httpx.BaseTransport):
    """Answers requests as the service would, and notes them; `lose_next` lets the next answer get lost on its way."""

    def __init__(self, app: Flask, services: Services) -> None:
        self.requests: list[httpx.Request] = []
        self.lose_next = False
        self._play = services.play
        self._wsgi = httpx.WSGITransport(app)

    def handle_request(self, request: httpx.Request) -> httpx.Response:
        self.requests.append(request)
        response = self._wsgi.handle_request(request)
        response.read()
        found = re.match(r"/v1/games/(\w+)/(start|seats/me|decisions/|votes|resign|away)", request.url.path)
        if found and request.method != "GET" and response.is_success:
            self._work(found[1])
        if self.lose_next:
            self.lose_next = False
            raise httpx.ReadError("the answer got lost")
        return response

    def _work(self, game: str) -> None:
        before = 0
        while (seq := self._play.live(game).game.seq) > before:
            before = seq
            play_bots(self._play, game)
            advance(self._play, game)


@pytest.fixture
def services() -> Services:
    return in_memory(Config(stream_life_s=0))


@pytest.fixture
def service(services: Services) -> Service:
    return Service(application(services, "cli"), services)


@pytest.fixture
def sign_up(service: Service) -> Iterator[Callable[..., Client]]:
    """Makes a player and returns a client of it."""
    clients: list[Client] = []

    def make(name: str = "ada", kind: Any = "bot") -> Client:
        clients.append(Client.signed_up(URL, name, kind, transport=service, sleep=lambda _: None))
        return clients[-1]

    yield make
    for client in clients:
        client.close()


@pytest.fixture
def log(services: Services) -> list[Envelope]:
    """The whole log of a game of three that is over."""
    client: FlaskClient = application(services, "played").test_client()
    return services.play.log(finished(client, seats=3, end={"rounds": 2}).game)


@pytest.fixture
def events_path(log: list[Envelope], tmp_path: Path) -> Path:
    """Its `events` file."""
    path = tmp_path / "game.ndjson"
    path.write_bytes(b"".join(events_file(log)))
    return path


@pytest.fixture
def compact_path(log: list[Envelope], tmp_path: Path) -> Path:
    """Its `replay` file."""
    path = tmp_path / "game.json"
    path.write_bytes(orjson.dumps(compact(log)))
    return path


@pytest.fixture
def at(service: Service, monkeypatch: pytest.MonkeyPatch) -> Callable[..., Any]:
    """Runs `take5 play` with arguments and what is typed, against the service of this process."""

    class Here(Client):
        def __init__(self, base_url: str, token: str | None = None, **settings: Any) -> None:
            super().__init__(base_url, token, **{"transport": service, "patience_s": 0, **settings})

    monkeypatch.setattr(play_module, "Client", Here)

    def run(*arguments: str, typed: str = "") -> Any:
        return CliRunner().invoke(play, ["--url", URL, *arguments], input=typed)

    return run
