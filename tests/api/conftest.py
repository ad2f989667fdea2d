"""Services of its own for every test, with everything in memory; or on a real server where that is what matters."""

import json
from collections.abc import Iterator
from typing import Any

import pytest
from flask import Flask
from flask.testing import FlaskClient
from redis import Redis
from werkzeug.test import TestResponse

from service.config import Config
from service.lines import Line
from service.services import Services, connect, in_memory
from service.store.embedded import Urls
from tests.api.applications import MakeApplication, application
from tests.api.documented import codes, operation_at
from tests.api.kinds import Follow, MakePlayer, Refused
from tests.api.streamed import EVENTS, SSE, Follower, followed


@pytest.fixture
def services() -> Services:
    """Services in memory, for a test to look into or to break; their streams end when they have told what there is."""
    return in_memory(Config(stream_life_s=0))


@pytest.fixture
def made() -> MakeApplication:
    """Makes applications; who adds routes to them has them made anew."""
    return application


@pytest.fixture
def app(services: Services, made: MakeApplication) -> Flask:
    """The application on those services."""
    return made(services, "memory")


@pytest.fixture
def client(app: Flask) -> FlaskClient:
    """A client of it, without a token."""
    return app.test_client()


@pytest.fixture
def player(client: Any) -> MakePlayer:
    """Makes a player and returns the headers that say so."""

    def make(name: str = "Ada", kind: str = "human") -> dict[str, str]:
        made = client.post("/v1/players", json={"name": name, "kind": kind})
        return {"Authorization": f"Bearer {made.json['token']}"}

    return make


@pytest.fixture
def refused() -> Refused:
    """Checks that an answer is a whole problem document, of a code that the document has there, and returns it."""

    def check(response: TestResponse) -> dict[str, Any]:
        assert response.status_code >= 400, response.data
        assert response.content_type == "application/problem+json", response.data
        problem: dict[str, Any] = json.loads(response.data)
        assert problem["status"] == response.status_code
        assert problem["type"] == f"/docs/problems#{problem['code']}"
        assert problem["title"]
        assert problem["detail"]
        assert problem["request_id"] == response.headers["X-Request-Id"]
        operation = operation_at(response.request.method, response.request.path)
        assert operation is None or problem["code"] in codes(operation, response.status_code)
        return problem

    return check


@pytest.fixture
def real_client(
    redis_urls: Urls, games_client: Redis, queue_client: Redis, made: MakeApplication
) -> Iterator[FlaskClient]:
    """A client of an application on real servers, empty when the test begins."""
    services = connect(Config(redis_url=redis_urls.games, queue_url=redis_urls.queue, stream_life_s=0))
    yield made(services, "server").test_client()
    services.close()


@pytest.fixture
def lasting() -> Iterator[Flask]:
    """An application whose streams go on until they end by themselves, or the test does."""
    services = in_memory(Config(max_streams=4, max_streams_per_token=2, max_streams_per_address=3))
    yield application(services, "lasting")
    services.close()


@pytest.fixture
def lasting_services(lasting: Flask) -> Services:
    """What that application works with."""
    services: Services = lasting.extensions["take5"]
    return services


@pytest.fixture
def follow(lasting: Flask) -> Follow:
    """Opens a stream of `g_1` at the lasting application."""

    def open_one(
        headers: dict[str, str] | None = None,
        query: str = "",
        accept: str = SSE,
        *,
        url: str = EVENTS,
        line: Line | None = None,
    ) -> Follower:
        return Follower(lasting, followed(accept, query, url), headers or {}, accept, line)

    return open_one
