"""Clients that hang, in every way that one can, keep nobody else waiting."""

from __future__ import annotations

import socket
import time
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from typing import BinaryIO
from urllib.parse import urlsplit

import httpx
import pytest

from take5.client import Client
from tests.e2e.serving import Served, serving

Until = Callable[[Callable[[], bool]], None]

SOON_S = 8.0
"""Far more than an answer takes, and less than any client is waited for before its thread is free again."""

HANGING = {
    "says nothing": b"",
    "stops in its head": b"GET /v1/limits HTTP/1.1\r\nHost: x\r\n",
    "stops in its body": b"POST /v1/simulate HTTP/1.1\r\nHost: x\r\nContent-Length: 100\r\n\r\n{",
    "stops in its chunks": b"POST /v1/simulate HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\n2\r\n{}\r\n",
    "waits for a word": b"POST /v1/simulate HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\nContent-Length: 9\r\n\r\n",
    "does not close": b"GET /v1/limits HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n",
    "does not close what is no HTTP": b"?\r\n\r\n",
}


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service with few threads."""
    place = tmp_path_factory.mktemp("slow")
    few = {"threads": "8", "max_waiting": "4", "max_streams": "2"}
    with serving(place / "data", place / "log", **few) as running:
        yield running


def connected(served: Served) -> socket.socket:
    """A connection to the service."""
    address = urlsplit(served.url)
    assert address.hostname
    assert address.port
    return socket.create_connection((address.hostname, address.port), timeout=5)


@pytest.mark.parametrize("hanging", HANGING.values(), ids=HANGING)
def test_clients_that_hang_keep_nobody_waiting(served: Served, hanging: bytes) -> None:
    with ExitStack() as stack:
        for _ in range(40):
            stack.enter_context(connected(served)).sendall(hanging)
        began_s = time.monotonic()
        assert httpx.get(f"{served.url}/v1/limits", timeout=30).status_code == 200
        assert time.monotonic() - began_s < SOON_S


def test_an_answer_is_read_to_its_end_whatever_else_was_sent(served: Served) -> None:
    with connected(served) as line:
        request = b"GET /v1/openapi.json HTTP/1.1\r\nHost: x\r\nConnection: close\r\n\r\n"
        line.sendall(request + b"x" * 10_000)
        answer = line.makefile("rb").read()
    head, _, body = answer.partition(b"\r\n\r\n")
    assert f"Content-Length: {len(body)}".encode() in head


def test_requests_that_follow_each_other_closely_are_all_answered(served: Served) -> None:
    request = b"GET /healthz HTTP/1.1\r\nHost: x\r\n\r\n"
    with connected(served) as line:
        answers = line.makefile("rb")
        line.sendall(2 * request + request[:9])
        for _ in range(2):
            read_answer(answers)
        line.sendall(request[9:])
        read_answer(answers)


def read_answer(answers: BinaryIO) -> None:
    """Read one answer, which must be a good one, to its end."""
    assert answers.readline().startswith(b"HTTP/1.1 200")
    length = 0
    while (field := answers.readline()) != b"\r\n":
        if field.startswith(b"Content-Length:"):
            length = int(field.split()[1])
    answers.read(length)


def test_a_held_request_does_not_keep_others_waiting(served: Served) -> None:
    with Client.signed_up(served.url, "patient") as client, ExitStack() as stack:
        held = f"GET /v1/me/decisions?wait=25 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {client.token}\r\n\r\n"
        for _ in range(40):
            stack.enter_context(connected(served)).sendall(held.encode())
        began_s = time.monotonic()
        assert client.me()["name"] == "patient"
        assert time.monotonic() - began_s < SOON_S


def test_clients_that_hang_up_leave_their_place_to_others(served: Served, until: Until) -> None:
    with Client.signed_up(served.url, "patient") as client, ExitStack() as stack:
        held = f"GET /v1/me/decisions?wait=25 HTTP/1.1\r\nHost: x\r\nAuthorization: Bearer {client.token}\r\n\r\n"

        def hold_one_more() -> None:
            stack.enter_context(connected(served)).sendall(held.encode())

        def is_full() -> bool:
            hold_one_more()  # lest the question itself has taken the place of one of them
            return asked_to_be_held(served, client) == 503

        for _ in range(4):
            hold_one_more()
        until(is_full)
        stack.close()
        until(lambda: asked_to_be_held(served, client) == 200)


def asked_to_be_held(served: Served, client: Client) -> int:
    """Ask to be held for a second, and return the status of the answer."""
    headers = {"Authorization": f"Bearer {client.token}"}
    return httpx.get(f"{served.url}/v1/me/decisions", params={"wait": 1}, headers=headers).status_code


def test_a_body_that_is_no_http_is_the_clients_mistake(served: Served) -> None:
    with connected(served) as line:
        head = b"POST /v1/simulate HTTP/1.1\r\nHost: x\r\nContent-Type: application/json\r\n"
        line.sendall(head + b"Transfer-Encoding: chunked\r\n\r\nzz\r\n0\r\n\r\n")
        answer = line.makefile("rb").read()
    assert answer.startswith(b"HTTP/1.1 400 ")
    assert b'"code":"bad_request"' in answer


@pytest.mark.parametrize(
    "coding", [b"identity", b"gzip", b"", b"gzip, chunked", b"chunked, gzip", b"xchunked"]
)
def test_a_body_in_a_coding_that_is_not_undone_here_is_refused_at_once(served: Served, coding: bytes) -> None:
    with connected(served) as line:
        head = b"POST /v1/simulate HTTP/1.1\r\nHost: x\r\nConnection: close\r\nContent-Type: application/json\r\n"
        line.sendall(head + b"Transfer-Encoding: " + coding + b"\r\n\r\n2\r\n{}\r\n0\r\n\r\n")
        answer = line.makefile("rb").read()
    assert answer.split()[1] in (b"400", b"501")
    assert b'"code":"' in answer


@pytest.mark.parametrize(
    ("path", "header", "status"),
    [
        ("/foo/v1/limits", {"SCRIPT_NAME": "/foo"}, 404),
        ("/v1/limits", {"PATH_INFO": "/v1/games"}, 200),
        ("/v1/limits", {"X-Forwarded-Proto": "https", "X-Forwarded-Ssl": "off"}, 200),
    ],
)
def test_nobody_says_where_a_request_leads_but_its_first_line(
    served: Served, path: str, header: dict[str, str], status: int
) -> None:
    answer = httpx.get(f"{served.url}{path}", headers=header)
    assert (answer.status_code, "rates" in answer.json()) == (status, status == 200)
