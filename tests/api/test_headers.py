"""Request ids, the clock, browsers, and the one line of log a request leaves."""

import time
from typing import Any

import pytest
import structlog
from structlog.testing import capture_logs

from service.http.headers import EXPOSED
from service.logs import configure
from tests.api.kinds import MakePlayer


def test_a_sane_request_id_is_kept(client: Any) -> None:
    response = client.get("/v1/nothing", headers={"X-Request-Id": "my-id_1.2:3/4"})
    assert response.headers["X-Request-Id"] == "my-id_1.2:3/4"
    assert response.json["request_id"] == "my-id_1.2:3/4"


@pytest.mark.parametrize("sent", ["", "a b", "é", "a" * 65, "<script>", 'a"b', "a;b"])
def test_any_other_request_id_is_replaced(client: Any, sent: str) -> None:
    response = client.get("/v1/limits", headers={"X-Request-Id": sent})
    assert response.headers["X-Request-Id"] != sent
    assert len(response.headers["X-Request-Id"]) == 24


def test_the_clock_is_the_service_s(client: Any) -> None:
    before = time.time_ns() // 1_000_000
    told = int(client.get("/healthz").headers["Server-Time-Ms"])
    assert before <= told <= time.time_ns() // 1_000_000


def test_a_script_may_read_every_header_that_matters(client: Any) -> None:
    exposed = client.get("/healthz").headers["Access-Control-Expose-Headers"]
    assert exposed == EXPOSED
    assert {"ETag", "Location", "Link", "Retry-After", "X-Request-Id", "Idempotent-Replayed"} <= {
        *exposed.split(", ")
    }


def test_plain_options_lists_the_methods(client: Any) -> None:
    response = client.options("/v1/me")
    assert response.status_code == 200
    assert {*response.headers["Allow"].split(", ")} == {"GET", "HEAD", "OPTIONS", "PATCH"}
    assert client.options("/v1/nothing").status_code == 404


def test_an_answer_that_says_nothing_about_caching_is_not_kept(client: Any) -> None:
    assert (
        client.post("/v1/players", json={"name": "Ada", "kind": "human"}).headers["Cache-Control"]
        == "no-store"
    )


def test_a_request_leaves_one_line_without_secrets(client: Any, player: MakePlayer) -> None:
    headers = player()
    with capture_logs() as logs:
        client.patch("/v1/me?x=words", json={"name": "Grace"}, headers=headers)
        client.patch("/v1/me", json={"name": "Grace"}, headers={**headers, "X-Request-Id": "mine"})
    refused, done = [line for line in logs if line["event"] == "request"]
    assert (refused["status"], refused["code"]) == (422, "invalid_request")
    assert (done["method"], done["route"], done["status"], done["code"]) == ("PATCH", "/v1/me", 200, None)
    assert done["request_id"] == "mine"
    assert done["player"].startswith("p_")
    assert done["ms"] >= 0
    for secret in ("Grace", "words", headers["Authorization"].split("t5_")[1]):
        assert secret not in str(logs)


def test_the_log_of_a_process_is_json_from_a_level_up(capsys: pytest.CaptureFixture[str]) -> None:
    try:
        configure("warning")
        log = structlog.get_logger()
        log.info("unheard")
        log.warning("heard", n=1)
    finally:
        structlog.reset_defaults()
    written = capsys.readouterr().out
    assert "unheard" not in written
    assert '"event": "heard"' in written
    assert '"level": "warning"' in written
