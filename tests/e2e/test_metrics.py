"""What processes of their own count is found, by whoever knows the operator's token."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import httpx

from service.store.embedded import Urls
from tests.api.test_metrics import Figures, of, read
from tests.e2e.parts import part
from tests.e2e.serving import free_port, is_ready

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
        until(lambda: is_ready(url))
        for _ in range(12):
            assert httpx.get(f"{url}/v1/limits").status_code == 200
        asked = {"method": "GET", "route": "/v1/limits", "status": "200"}
        assert {of(figures(url), "take5_requests_total", **asked) for _ in range(12)} == {12}
        assert len(list(tmp_path.glob("take5-metrics-*"))) == 1
        api.terminate()
        assert api.ended() == 0
    assert not list(tmp_path.glob("take5-metrics-*"))
