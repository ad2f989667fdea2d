"""Parts that are started: each says that it runs, and waits for a store that is away, without a word of how it asks."""

from __future__ import annotations

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from redis import Redis

from service.store import connect
from service.store.embedded import Embedded, Urls
from tests.e2e.parts import part
from tests.e2e.serving import free_port
from tests.e2e.test_ending import states

Until = Callable[[Callable[[], bool]], None]

PARTS = [("worker", "--queue", "turns"), ("worker", "--queue", "bots"), ("clock",)]
PASSWORD = "hush-4711"


def told(log: Path, event: str) -> list[dict[str, Any]]:
    """The lines of one kind in the log of a part."""
    lines = [json.loads(line) for line in log.read_text().splitlines(keepends=True) if line.endswith("\n")]
    return [line for line in lines if line["event"] == event]


@pytest.mark.parametrize("arguments", PARTS, ids=" ".join)
def test_a_part_says_once_that_it_runs_and_on_what(
    redis_urls: Urls, queue_client: Redis, tmp_path: Path, until: Until, arguments: tuple[str, ...]
) -> None:
    log = tmp_path / "log"
    with part(redis_urls, log, *arguments) as started:
        until(lambda: log.read_text().endswith("\n"))
        started.terminate()
        assert started.ended() == 0
    name, *options = arguments
    (line,) = told(log, f"{name}_started")
    assert line["level"] == "info"
    assert line.get("queue") == (options[-1] if options else None)
    assert line.keys() <= {"event", "level", "timestamp", "queue"}


@pytest.mark.parametrize("arguments", PARTS, ids=" ".join)
def test_a_part_waits_for_stores_that_are_away_and_ends_when_it_is_told_to(
    tmp_path: Path, until: Until, arguments: tuple[str, ...]
) -> None:
    log, nowhere = tmp_path / "log", f"redis://:{PASSWORD}@127.0.0.1:1"
    with part(Urls(nowhere, nowhere), log, *arguments) as waiting:
        until(lambda: len(told(log, f"{arguments[0]}_waits")) == 2)
        waiting.terminate()
        assert waiting.ended() == 0
    assert {line["level"] for line in told(log, f"{arguments[0]}_waits")} == {"warning"}
    assert PASSWORD not in log.read_text()


def test_a_worker_begins_when_its_queue_is_there(own_servers: Embedded, tmp_path: Path, until: Until) -> None:
    log, (_, queue) = tmp_path / "log", own_servers.servers
    queue.stop()
    with part(own_servers.urls, log, "worker", "--queue", "turns") as worker:
        until(lambda: bool(told(log, "worker_waits")))
        queue.start()
        with connect.queue_client(own_servers.urls.queue) as client:
            until(lambda: states(client) == ["idle"])
            worker.terminate()
            assert worker.ended() == 0


def test_a_worker_whose_queue_takes_nothing_ends_with_one_line(own_servers: Embedded, tmp_path: Path) -> None:
    log = tmp_path / "log"
    with connect.queue_client(own_servers.urls.queue) as client:
        client.config_set("maxmemory", 1)
    with part(own_servers.urls, log, "worker", "--queue", "turns") as worker:
        assert worker.process.wait(15) == 1
    (line,) = told(log, "worker_ended")
    assert (line["level"], line["queue"], "full" in line["reason"]) == ("error", "turns", True)
    assert "Traceback" not in log.read_text()


@pytest.mark.parametrize("arguments", [*PARTS, ("api", "--processes", "2")], ids=" ".join)
def test_a_part_warns_once_of_stores_that_would_lose_games(
    own_servers: Embedded, tmp_path: Path, until: Until, arguments: tuple[str, ...]
) -> None:
    log, games = tmp_path / "log", own_servers.urls.games
    with connect.games_client(games, threads=1) as client:
        client.config_set("appendonly", "no")
    port = ("--port", str(free_port())) if arguments[0] == "api" else ()
    with part(Urls(games, games), log, *arguments, *port) as started:
        until(lambda: len(told(log, "store_misconfigured")) >= 2)
        started.terminate()
        assert started.ended() == 0
    warned = told(log, "store_misconfigured")
    assert [(line["level"], line["store"]) for line in warned] == [("warning", "games"), ("warning", "queue")]
    assert games not in str(warned)
