"""A whole service on stores with passwords: no secret of it shows in its processes, its words or its answers."""

from __future__ import annotations

import socket
from collections.abc import Iterator
from pathlib import Path
from typing import NamedTuple
from urllib.parse import urlsplit

import httpx
import pytest

from service.bounds import HEADER_BYTES, HEADERS, REQUEST_LINE_BYTES
from service.store import connect
from service.store.embedded import embedded
from take5.client import Client
from tests.e2e.serving import Served, processes, serving, start, stop

PASSWORD = "hush-4711"
METRICS_TOKEN = "hush-0815"
"""Neither of them may be found anywhere."""


class Running(NamedTuple):
    """A service, and the file of its words."""

    served: Served
    words: Path


def guarded(url: str) -> str:
    """Give a store a password; return its address with it."""
    with connect.queue_client(url) as client:
        client.config_set("requirepass", PASSWORD)
    return f"unix://:{PASSWORD}@{urlsplit(url).path}"


@pytest.fixture(scope="module")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Running]:
    """A service that says all it has to say."""
    place = tmp_path_factory.mktemp("secrets")
    with embedded(place / "stores", fsync="no") as stores:
        urls = {f"{name}_url": guarded(getattr(stores.urls, kind)) for name, kind in STORES}
        with serving(
            place / "data", place / "log", log_level="debug", metrics_token=METRICS_TOKEN, **urls
        ) as served:
            yield Running(served, place / "log")


STORES = (("redis", "games"), ("queue", "queue"))


def test_the_process_list_shows_no_password(running: Running) -> None:
    family = running.served.family()
    shown = [command for pid, _, command in processes() if pid in family]
    assert len(shown) >= 5
    assert not [command for command in shown if PASSWORD in command or METRICS_TOKEN in command]


def test_a_game_leaves_no_secret_in_what_the_service_says(running: Running) -> None:
    url = running.served.url
    with Client.signed_up(url, "Ada", "human") as ada:
        game = ada.create_game(ruleset="classic", seats=2, visibility="private", end={"rounds": 1})["id"]
        code = ada.call("GET", f"/v1/games/{game}")["join_code"]
        ada.call("POST", f"/v1/games/{game}/seats/1/bot", {"house": "random"})
        ada.call("POST", f"/v1/games/{game}/start")
        (owed,) = ada.decisions(wait=5)
        ada.call("PUT", f"/v1/games/{game}/decisions/{owed.key}", {"card": owed.cards[0]})
        token = str(ada.token)
        httpx.get(f"{url}/v1/me?token={token}")
        httpx.get(f"{url}/v1/me", headers={"Authorization": f"Basic {token}"})
        httpx.post(f"{url}/v1/players", content=f'{{"name": "{token}'.encode())
        httpx.get(f"{url}/{token}")
        raw(running.served, f"GET /v1/me HTTP/1.1\r\nHost: x\r\nAuthorization {token}\r\n\r\n".encode())
    metrics = httpx.get(f"{url}/metrics", headers={"Authorization": f"Bearer {METRICS_TOKEN}"})
    assert metrics.status_code == 200
    assert "take5_" in metrics.text
    said = running.words.read_text() + metrics.text + httpx.get(f"{url}/metrics").text
    assert "/v1/games/<game_id>/decisions/<key>" in said
    for secret in (
        PASSWORD,
        METRICS_TOKEN,
        token,
        token[3:],
        code,
        f'"card": {owed.cards[0]}',
        str(owed.cards),
    ):
        assert secret not in said


def test_a_service_that_cannot_reach_its_stores_does_not_say_how_it_tried(
    running: Running, tmp_path: Path
) -> None:
    log = tmp_path / "log"
    wrong = {
        "redis_url": f"redis://:{PASSWORD}@127.0.0.1:1",
        "queue_url": f"redis://:{PASSWORD}/x@127.0.0.1:1",
    }
    with pytest.raises(RuntimeError, match="did not start") as failed:
        stop(start(tmp_path / "data", log, **wrong))
    assert "TAKE5_QUEUE_URL cannot be read" in str(failed.value)
    assert PASSWORD not in log.read_text()


@pytest.mark.parametrize(
    ("head", "status", "code"),
    [
        (b"GET /" + b"a" * REQUEST_LINE_BYTES + b" HTTP/1.1\r\nHost: x\r\n\r\n", 414, "uri_too_long"),
        (
            b"GET / HTTP/1.1\r\nHost: x\r\nA: " + b"a" * HEADER_BYTES + b"\r\n\r\n",
            431,
            "headers_too_large",
        ),
        (
            b"GET / HTTP/1.1\r\n"
            + b"".join(b"A%d: a\r\n" % number for number in range(HEADERS + 1))
            + b"\r\n",
            431,
            "headers_too_large",
        ),
        *(
            (
                b"GET / HTTP/1.1\r\nHost: x\r\n"
                + b"".join(b"A%d: %b\r\n" % (number, b"a" * 4000) for number in range(headers))
                + b"\r\n",
                431,
                "headers_too_large",
            )
            for headers in (9, 90)
        ),
    ],
    ids=["request_line_bytes", "header_bytes", "headers", "head_bytes", "head_bytes_by_far"],
)
def test_a_head_beyond_its_bounds_is_refused_with_their_code(
    running: Running, head: bytes, status: int, code: str
) -> None:
    answer = raw(running.served, head)
    assert answer.startswith(b"HTTP/1.1 %d " % status)
    assert f'"code":"{code}"'.encode() in answer
    assert b"X-Frame-Options: DENY" in answer


def raw(served: Served, request: bytes) -> bytes:
    """Send bytes as they are, and return the answer to its end."""
    address = urlsplit(served.url)
    with socket.create_connection((str(address.hostname), address.port or 0), timeout=30) as line:
        line.sendall(request)
        line.shutdown(socket.SHUT_WR)
        return line.makefile("rb").read()
