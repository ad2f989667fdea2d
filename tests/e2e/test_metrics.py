"""What processes of their own count is found, by whoever knows the operator's token."""

from __future__ import annotations

import socket
from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx
import pytest

from service.config import Config
from service.store.embedded import Urls
from take5.serve import _environment
from tests.api.test_health import overdue
from tests.api.test_metrics import Figures, of, read
from tests.bench.servers import await_answer
from tests.e2e.parts import ENDS_WITHIN_S, part
from tests.e2e.serving import free_port
from worker.connection import connected

Until = Callable[[Callable[[], bool]], None]
TOKEN = "for-prometheus-alone"
AUTHORIZED = {"Authorization": f"Bearer {TOKEN}"}


def figures(url: str) -> Figures:
    """What one process shows, whichever the system picks for a new connection."""
    answer = httpx.get(f"{url}/metrics", headers=AUTHORIZED)
    assert answer.status_code == 200
    return read(answer.text)


def test_the_processes_of_one_api_are_counted_together_without_being_told(
    redis_urls: Urls, games_client: Any, queue_client: Any, tmp_path: Path, until: Until
) -> None:
    port = free_port()
    url = f"http://127.0.0.1:{port}"
    arguments = ("api", "--port", str(port), "--processes", "2")
    settings = {"TAKE5_METRICS_TOKEN": TOKEN, "TMPDIR": str(tmp_path)}
    with part(redis_urls, tmp_path / "log", *arguments, **settings) as api:
        await_answer(f"{url}/readyz")
        for _ in range(12):
            assert httpx.get(f"{url}/v1/limits").status_code == 200
        asked = {"method": "GET", "route": "/v1/limits", "status": "200"}
        assert {of(figures(url), "take5_requests_total", **asked) for _ in range(12)} == {12}
        assert len(list(tmp_path.glob("take5-metrics-*"))) == 1
        api.terminate()
        assert api.ended() == 0
    assert not list(tmp_path.glob("take5-metrics-*"))


def test_a_worker_and_a_clock_show_what_they_count_where_they_are_told_to(
    redis_urls: Urls, games_client: Any, queue_client: Any, tmp_path: Path, until: Until
) -> None:
    ports = {"clock": free_port(), "turns": free_port()}
    urls = {name: f"http://127.0.0.1:{port}" for name, port in ports.items()}
    settings = {"TAKE5_METRICS_TOKEN": TOKEN, "TAKE5_METRICS_PORT": str(ports["clock"])}
    at = connected(Config(redis_url=redis_urls.games, queue_url=redis_urls.queue))
    worker = ("worker", "--queue", "turns", "--metrics-port", str(ports["turns"]))
    with (
        part(redis_urls, tmp_path / "clock.log", "clock", **settings) as clock,
        part(redis_urls, tmp_path / "worker.log", *worker, **settings) as turns,
    ):
        for url in urls.values():
            until(lambda url=url: is_listening(url))  # type: ignore[misc]  # mypy infers no default of a lambda
        at.store.append(overdue("g_1", "turns", 90_000))
        until(lambda: of(figures(urls["clock"]), "take5_sweeper_finds_total", kind="turns") > 0)
        failed = {"job": "advance", "outcome": "failed"}  # there is a due time, and no game
        until(lambda: of(figures(urls["turns"]), "take5_jobs_total", **failed) > 0)
        for headers, status in ((None, 401), ({"Authorization": "Bearer wrong"}, 401)):
            answer = httpx.get(f"{urls['clock']}/metrics", headers=headers)
            assert (answer.status_code, answer.headers["WWW-Authenticate"]) == (status, "Bearer")
        assert httpx.get(f"{urls['clock']}/", headers=AUTHORIZED).status_code == 404
        for one in (clock, turns):
            one.terminate()
            assert one.process.wait(ENDS_WITHIN_S) == 0


def is_listening(url: str) -> bool:
    try:
        return httpx.get(f"{url}/metrics", headers=AUTHORIZED).status_code == 200
    except httpx.HTTPError:
        return False


def test_a_port_for_one_process_is_none_for_all_those_of_take5_serve(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("TAKE5_METRICS_PORT", "9100")
    monkeypatch.setenv("TAKE5_METRICS_TOKEN", TOKEN)
    environment = _environment(Urls("unix:///games", "unix:///queue"), "/counted")
    assert {"TAKE5_METRICS_PORT", "TAKE5_METRICS_TOKEN"} & environment.keys() == {"TAKE5_METRICS_TOKEN"}


def test_a_port_for_metrics_wants_a_token_and_to_be_free(redis_urls: Urls, tmp_path: Path) -> None:
    with socket.create_server(("127.0.0.1", 0)) as taken:
        port = str(taken.getsockname()[1])
        said = {}
        for token in ("", TOKEN):
            log = tmp_path / f"log{token}"
            settings = {"TAKE5_METRICS_TOKEN": token}
            with part(redis_urls, log, "clock", "--metrics-port", port, **settings) as clock:
                assert clock.process.wait(ENDS_WITHIN_S) == 1
            said[token] = log.read_text()
    assert "TAKE5_METRICS_TOKEN" in said[""]
    assert f"port {port}" in said[TOKEN]
