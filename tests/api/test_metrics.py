"""What is counted, who may read it, and what it says of the games."""

from __future__ import annotations

import os
import subprocess
import sys
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, NoReturn

import pytest
from prometheus_client import CollectorRegistry, generate_latest
from prometheus_client.parser import text_string_to_metric_families

from engine import commands as c
from service.app import create_app
from service.config import Config
from service.metrics import _Together, counted
from service.services import Services, connect, in_memory
from service.store.connect import Unavailable
from service.store.embedded import Urls
from service.store.moments import now
from tests.api.kinds import Refused
from tests.api.played import Table, started
from tests.api.test_health import overdue

TOKEN = "for-prometheus-alone"
AUTHORIZED = {"Authorization": f"Bearer {TOKEN}"}
Figures = dict[tuple[str, tuple[tuple[str, str], ...]], float]


@pytest.fixture
def services() -> Services:
    return in_memory(Config(metrics_token=TOKEN))


def read(text: str) -> Figures:
    """Return every figure by its name and its labels."""
    return {
        (sample.name, tuple(sorted(sample.labels.items()))): sample.value
        for family in text_string_to_metric_families(text)
        for sample in family.samples
    }


def figures(client: Any) -> Figures:
    answer = client.get("/metrics", headers=AUTHORIZED)
    assert answer.status_code == 200
    assert answer.content_type == "text/plain; version=0.0.4; charset=utf-8"
    return read(answer.text)


def of(found: Figures, name: str, **labels: str) -> float:
    return found.get((name, tuple(sorted(labels.items()))), 0)


@pytest.mark.parametrize(
    ("headers", "code"),
    [
        ({}, "token_required"),
        ({"Authorization": "Bearer wrong"}, "token_invalid"),
        ({"Authorization": f"Basic {TOKEN}"}, "token_invalid"),
        ({"Authorization": f"Bearer {TOKEN}x"}, "token_invalid"),
        ({"Authorization": "Bearer é"}, "token_invalid"),
    ],
)
def test_nobody_but_the_operator_reads_them(
    client: Any, refused: Refused, headers: dict[str, str], code: str
) -> None:
    answer = client.get("/metrics", headers=headers)
    assert refused(answer)["code"] == code
    assert answer.headers["WWW-Authenticate"].startswith("Bearer")


def test_the_name_of_the_scheme_may_be_written_in_any_case(client: Any) -> None:
    assert client.get("/metrics", headers={"Authorization": f"bearer {TOKEN}"}).status_code == 200


def test_methods_that_nobody_knows_are_one_figure(client: Any) -> None:
    labels = {"method": "other", "route": "none", "status": "405"}
    before = of(figures(client), "take5_requests_total", **labels)
    for method in ("FROB", "PROPFIND", "X1"):
        assert client.open("/v1/games", method=method).status_code == 405
    found = figures(client)
    assert of(found, "take5_requests_total", **labels) == before + 3
    counted_apart = {value for _, pairs in found for name, value in pairs if name == "method"}
    assert not counted_apart & {"FROB", "PROPFIND", "X1"}


def test_a_player_s_token_is_no_operator_s(client: Any, player: Any, refused: Refused) -> None:
    assert refused(client.get("/metrics", headers=player()))["code"] == "token_invalid"


def test_a_service_that_was_given_no_token_shows_none(refused: Refused) -> None:
    client: Any = create_app(in_memory()).test_client()
    for headers in ({}, {"Authorization": "Bearer "}, AUTHORIZED):
        assert refused(client.get("/metrics", headers=headers))["code"] == "not_found"


def test_requests_are_counted_by_their_pattern_and_held_ones_are_not_timed(client: Any) -> None:
    before = figures(client)
    for _ in range(3):
        client.get("/v1/games/g_none")
    client.get("/v1/games/g_none?wait=1")
    after = figures(client)
    labels = {"method": "GET", "route": "/v1/games/<game_id>", "status": "404"}
    assert of(after, "take5_requests_total", **labels) - of(before, "take5_requests_total", **labels) == 4
    timed = {"route": "/v1/games/<game_id>"}
    name = "take5_request_seconds_count"
    assert of(after, name, **timed) - of(before, name, **timed) == 3
    assert "g_none" not in str(after)


def test_cards_are_counted_by_who_laid_them_and_turns_are_timed(client: Any) -> None:
    table = started(client, seats=2)
    before = figures(client)
    table.lay(0, 1)
    table.do(c.Advance())
    after = figures(client)
    laid = {"kind": "card", "by": "player"}
    assert of(after, "take5_answers_total", **laid) - of(before, "take5_answers_total", **laid) == 2
    turns = "take5_turn_seconds_count"
    assert of(after, turns) - of(before, turns) == 1
    revealed = {"type": "turn.revealed"}
    assert of(after, "take5_events_total", **revealed) - of(before, "take5_events_total", **revealed) == 1


def test_open_games_stand_under_what_they_wait_for(client: Any) -> None:
    table: Table = started(client, seats=2)
    client.post("/v1/games", json={"ruleset": "classic", "seats": 2}, headers=table.headers[0])
    found = figures(client)
    assert of(found, "take5_open_games", phase="lay_card") == 1
    assert of(found, "take5_open_games", phase="lobby") == 1


def test_games_that_wait_too_long_for_a_worker_are_seen(client: Any, services: Services) -> None:
    assert of(figures(client), "take5_overdue_games", kind="turns") == 0
    services.games.append(overdue("g_1", "turns", 90_000))
    services.games.append(overdue("g_2", "turns", 100))
    services.games.postpone("turns", "g_1", now() + 10_000)
    found = figures(client)
    assert of(found, "take5_overdue_games", kind="turns") == 1
    assert 90 <= of(found, "take5_overdue_seconds", kind="turns") < 120
    assert of(found, "take5_overdue_games", kind="bots") == 0


def test_jobs_that_nobody_takes_are_seen(redis_urls: Urls, games_client: Any, queue_client: Any) -> None:
    config = Config(redis_url=redis_urls.games, queue_url=redis_urls.queue, metrics_token=TOKEN)
    services = connect(config)
    try:
        client: Any = create_app(services).test_client()
        services.queue.wake("bots", "g_1")
        found = figures(client)
        assert of(found, "take5_queue_jobs", kind="bots") == 1
        assert of(found, "take5_queue_jobs", kind="turns") == 0
        assert 0 <= of(found, "take5_queue_age_seconds", kind="bots") < 30
        assert of(found, "take5_store_up", store="games") == of(found, "take5_store_up", store="queue") == 1
    finally:
        services.close()


def test_a_store_that_is_away_is_down_and_the_rest_is_told(
    client: Any, services: Services, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> NoReturn:
        raise Unavailable("gone")

    monkeypatch.setattr(services.games, "phases", away)
    found = figures(client)
    assert of(found, "take5_store_up", store="games") == 0
    assert of(found, "take5_store_up", store="queue") == 1
    assert ("take5_queue_jobs", (("kind", "turns"),)) in found


COUNTS = """
import os, sys
from service.metrics import EVENTS, HELD, TURN_SECONDS, counted
from prometheus_client import generate_latest
EVENTS.labels("turn.opened").inc(int(sys.argv[1]))
TURN_SECONDS.observe(int(sys.argv[1]))
HELD.inc()
print(generate_latest(counted()).decode())
"""


def test_processes_that_share_a_directory_are_counted_together(tmp_path: Path) -> None:
    texts = [
        subprocess.run(
            [sys.executable, "-c", COUNTS, str(number)],
            env=os.environ | {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path)},
            capture_output=True,
            text=True,
            check=True,
        ).stdout
        for number in (2, 5, 7, 9)
    ]
    for text, sum_, count in zip(texts, (2, 7, 14, 23), (1, 2, 3, 4), strict=True):
        found = read(text)
        assert of(found, "take5_events_total", type="turn.opened") == sum_
        assert of(found, "take5_turn_seconds_sum") == sum_
        assert of(found, "take5_turn_seconds_bucket", le="+Inf") == count
        assert of(found, "take5_held_requests") == 1, "what the dead held is held no more"
    owners = {file.stem.rpartition("_")[2] for file in tmp_path.glob("*.db")}
    assert len(owners) == 2, "the last, and all of the dead together"


def test_who_reads_at_the_same_moment_reads_the_same(tmp_path: Path) -> None:
    environment = os.environ | {"PROMETHEUS_MULTIPROC_DIR": str(tmp_path)}
    for number in ("2", "5"):
        subprocess.run(
            [sys.executable, "-c", COUNTS, number], env=environment, check=True, capture_output=True
        )

    def turns(_: int) -> float:
        registry = CollectorRegistry()
        _Together(registry, str(tmp_path))  # type: ignore[no-untyped-call]  # the package's own omission
        return of(read(generate_latest(registry).decode()), "take5_events_total", type="turn.opened")

    with ThreadPoolExecutor(8) as pool:
        assert set(pool.map(turns, range(32))) == {7}


def test_a_process_alone_counts_for_itself() -> None:
    assert {family.name for family in counted().collect()} >= {"take5_requests", "take5_answers"}
