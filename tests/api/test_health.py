"""Alive and ready are two things: a process without its store is alive, and not ready."""

import time
from importlib import metadata
from typing import Any, NoReturn

import pytest
from flask import Flask

from service.app import create_app
from service.config import Config, ConfigError
from service.services import Services, connect
from service.store.connect import Unavailable
from service.store.contract import Entry

HOUR_MS = 3_600_000
READY = {"status": "ok", "store": "ok", "queue": "ok", "workers": "ok"}


def away(*_: object) -> NoReturn:
    raise Unavailable("gone")


def overdue(game: str, kind: str, ms: int) -> Entry:
    """Return a game whose worker of `kind` should have looked at it `ms` ago."""
    due = time.time_ns() // 1_000_000 - ms
    return Entry(
        game=game,
        after=0,
        seq=1,
        events=b"[]",
        snapshot=b"{}",
        secrets=None,
        status="playing",
        created_ms=1,
        due_turns=due if kind == "turns" else None,
        due_bots=due if kind == "bots" else None,
    )


def test_a_process_is_alive_without_any_store(
    client: Any, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services.games, "due", away)
    assert client.get("/healthz").json == {"status": "ok", "version": metadata.version("take5")}


def test_everything_in_order_is_ready(client: Any) -> None:
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json) == (200, READY)


def test_real_servers_are_ready(real_client: Any) -> None:
    assert real_client.get("/readyz").json == READY


@pytest.mark.parametrize("kind", ["turns", "bots"])
def test_a_game_that_waits_too_long_for_a_worker_is_seen(client: Any, services: Services, kind: str) -> None:
    services.games.append(overdue("g_1", kind, 1000))
    assert client.get("/readyz").json == READY
    services.games.append(overdue("g_2", kind, 60_000))
    answer = client.get("/readyz")
    assert (answer.status_code, answer.json) == (503, READY | {"status": "unavailable", "workers": "behind"})
    assert answer.headers["Retry-After"] == "1"


def test_a_clock_that_is_set_forward_makes_no_game_overdue(
    client: Any, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    services.games.append(overdue("g_1", "turns", -HOUR_MS // 2))
    right = time.time_ns
    monkeypatch.setattr(time, "time_ns", lambda: right() + 1_000_000 * HOUR_MS)
    assert client.get("/readyz").json == READY


@pytest.mark.parametrize("kind", ["turns", "bots"])
def test_a_job_that_nobody_takes_is_seen(
    client: Any, services: Services, monkeypatch: pytest.MonkeyPatch, kind: str
) -> None:
    put = time.time_ns() // 1_000_000 - 60_000
    monkeypatch.setattr(type(services.queue), "oldest_ms", lambda _, asked: put if asked == kind else None)
    assert client.get("/readyz").json == READY | {"status": "unavailable", "workers": "behind"}


def test_a_store_that_is_away_is_seen(
    client: Any, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(services.games, "due", away)
    answer = client.get("/readyz")
    assert answer.status_code == 503
    assert answer.json == {
        "status": "unavailable",
        "store": "unavailable",
        "queue": "ok",
        "workers": "unavailable",
    }


def test_a_queue_that_is_away_is_seen(
    app: Flask, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(services.queue), "oldest_ms", away)
    answer: Any = app.test_client().get("/readyz")
    assert answer.json == READY | {"status": "unavailable", "queue": "unavailable"}


def test_servers_that_cannot_be_reached_are_503_everywhere(tmp_path: Any) -> None:
    nowhere = f"unix://{tmp_path}/none.sock"
    services = connect(Config(redis_url=nowhere, queue_url=nowhere))
    try:
        client: Any = create_app(services).test_client()
        assert client.get("/healthz").status_code == 200
        assert client.get("/readyz").json["store"] == "unavailable"
        made = client.post("/v1/players", json={"name": "Ada", "kind": "human"})
        assert (made.status_code, made.json["code"]) == (503, "unavailable")
        assert made.headers["Retry-After"] == "1"
    finally:
        services.close()


def test_production_needs_both_servers() -> None:
    with pytest.raises(ConfigError, match="TAKE5_QUEUE_URL"):
        connect(Config(redis_url="redis://localhost"))
