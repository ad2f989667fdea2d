"""A request is looked at once it has arrived, and nobody is waited for without an end."""

import socket
from collections.abc import Iterator

import pytest
from gunicorn.http.errors import LimitRequestHeaders

from service import lines
from service.lines import Line

HEAD = b"POST /v1/simulate HTTP/1.1\r\nHost: x\r\n"
CHUNKED = HEAD + b"transfer-encoding: chunked\r\n\r\n"


@pytest.fixture
def ends() -> Iterator[tuple[Line, socket.socket]]:
    """A line as the service has it, not waiting for anything, and the client's end of it."""
    ours, theirs = socket.socketpair()
    with Line(ours) as line, theirs:
        line.setblocking(False)
        yield line, theirs


@pytest.mark.parametrize(
    ("parts", "looked_at"),
    [
        ([b"GET / HTTP/1.1\r\n", b"Host: x\r\n\r", b"\n"], [False, False, True]),
        ([HEAD, b"Content-Length: 4\r\n\r\n", b"{", b"}  "], [False, False, False, True]),
        ([HEAD + b"Content-Length: 2 \r\n\r\n{}"], [True]),
        ([HEAD + b"Content-Length: 0\r\n\r\n"], [True]),
        ([HEAD + b"Content-Length: 2\r\nContent-Length: 3\r\n\r\n"], [True]),
        ([HEAD + b"Content-Length: -2\r\n\r\n"], [True]),
        ([CHUNKED, b"2\r\n{}\r\n", b"0\r\n\r\n"], [False, False, True]),
        ([CHUNKED + b"2\r\n{}\r\n0\r\n", b"Trailer: x\r\n\r\n"], [False, True]),
        ([HEAD + b"Content-Length: 999999999\r\n\r\n", *[b" " * 1024] * 64], [*[False] * 64, True]),
        ([CHUNKED, *[b" " * 1024] * 65], [*[False] * 65, True]),
    ],
)
def test_a_request_is_looked_at_when_it_is_whole_or_too_long_to_be_held(
    ends: tuple[Line, socket.socket], parts: list[bytes], looked_at: list[bool]
) -> None:
    line, client = ends
    found: list[bool] = []
    for part in parts:
        client.sendall(part)
        found.append(line.gather())
    assert found == looked_at
    assert line.recv(1) == b"".join(parts)


def test_silence_is_nothing_to_look_at_and_a_client_that_has_gone_is(
    ends: tuple[Line, socket.socket],
) -> None:
    line, client = ends
    assert not line.gather()
    assert not line.drain()
    client.sendall(b"GET ")
    client.close()
    assert not line.gather()
    assert line.gather()
    assert line.recv(1) == b"GET "
    assert line.drain()


def test_who_waits_for_our_word_before_the_body_gets_it_at_once(ends: tuple[Line, socket.socket]) -> None:
    line, client = ends
    client.sendall(HEAD + b"Expect: 100-continue\r\nContent-Length: 2\r\n\r\n")
    assert not line.gather()
    assert client.recv(100) == b"HTTP/1.1 100 Continue\r\n\r\n"
    client.sendall(b"{}")
    assert line.gather()


def test_the_rest_of_a_request_is_awaited_for_so_long_and_no_longer(
    ends: tuple[Line, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    line, client = ends
    monkeypatch.setattr(lines, "READ_WITHIN_S", 0.05)
    line.setblocking(True)
    client.sendall(b"x")
    assert line.recv(10) == b"x"
    for _ in range(2):  # while it waits, and when the time is over
        with pytest.raises(ConnectionResetError, match="too slow"):
            line.recv(10)
    line.setblocking(True)
    client.sendall(b"y")
    assert line.recv(10) == b"y"


def test_the_rest_of_a_head_that_is_far_too_long_is_not_awaited(ends: tuple[Line, socket.socket]) -> None:
    line, client = ends
    for _ in range(32):
        client.sendall(b"a" * 1024)
        assert not line.gather()
    client.sendall(b"a")
    assert line.gather()
    line.setblocking(True)
    assert len(line.recv(1)) == lines.HEAD_MOST
    for _ in range(2):
        with pytest.raises(LimitRequestHeaders):
            line.recv(1)


def test_a_head_that_is_too_long_is_cut_however_it_came(ends: tuple[Line, socket.socket]) -> None:
    line, client = ends
    client.sendall(b"a" * 40_000 + b"\r\n\r\n")
    assert line.gather()
    assert len(line.recv(1)) == lines.HEAD_MOST
    with pytest.raises(LimitRequestHeaders):
        line.recv(1)


def test_a_client_that_does_not_read_is_given_up(
    ends: tuple[Line, socket.socket], monkeypatch: pytest.MonkeyPatch
) -> None:
    line, _ = ends
    monkeypatch.setattr(lines, "WRITE_WITHIN_S", 0.05)
    line.setblocking(True)
    with pytest.raises(ConnectionResetError, match="too slow"):
        line.sendall(b"x" * 10_000_000)


def test_it_is_seen_when_a_client_goes_away(ends: tuple[Line, socket.socket]) -> None:
    line, client = ends
    line.setblocking(True)
    assert not line.has_gone()
    client.sendall(b"the next request")
    assert not line.has_gone()
    assert line.gather() is False
    client.close()
    assert line.has_gone()
