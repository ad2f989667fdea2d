"""Polling a game: requests per second unchanged (304) and changed (200), as a share of the bare route's."""

from __future__ import annotations

import socket
import time
from concurrent.futures import ThreadPoolExecutor
from statistics import median
from typing import Any

import httpx

from tests.bench.servers import Stack

CONNECTIONS = 4
SECONDS = 2.0
ROUNDS = 5
BAR = 0.5


def measure(stack: Stack) -> bool:
    """Print the figures; whether both reach half of the bare route's."""
    token, game, etag = _game(f"http://127.0.0.1:{stack.service}")
    path = f"/v1/games/{game}"
    known = f"Authorization: Bearer {token}\r\nIf-None-Match: {etag}\r\n"
    kinds = {
        "bare": (stack.bare, _request("/", ""), b"200"),
        "304": (stack.service, _request(path, known), b"304"),
        "200": (stack.service, _request(path, f"Authorization: Bearer {token}\r\n"), b"200"),
        "200 public": (stack.service, _request(path, ""), b"200"),
    }
    rates: dict[str, list[float]] = {kind: [] for kind in kinds}
    for _ in range(ROUNDS):
        for kind, (port, request, status) in kinds.items():
            rates[kind].append(_rate(port, request, status))
    shares = {
        kind: median(rate / bare for rate, bare in zip(rates[kind], rates["bare"], strict=True))
        for kind in kinds
    }
    for kind in kinds:
        print(
            f"polling {kind:<11} {median(rates[kind]):7.0f} requests/s   {shares[kind]:.2f} of the bare route"
        )
    return all(shares[kind] >= BAR for kind in ("304", "200"))


def _game(base: str) -> tuple[str, str, str]:
    with httpx.Client(base_url=base) as client:
        token: str = client.post("/v1/players", json={"name": "ada", "kind": "human"}).json()["token"]
        client.headers["Authorization"] = f"Bearer {token}"
        created: dict[str, Any] = client.post(
            "/v1/games", json={"ruleset": "classic", "seats": 4, "pace": "untimed"}
        ).json()
        game: str = created["id"]
        for seat in (1, 2, 3):
            client.post(f"/v1/games/{game}/seats/{seat}/bot", json={"house": "random"}).raise_for_status()
        client.post(f"/v1/games/{game}/start").raise_for_status()
        settled = client.get(f"/v1/games/{game}")
        while sum(seat["laid"] for seat in settled.json()["seats"]) < 3:
            settled = client.get(
                f"/v1/games/{game}", params={"wait": 5}, headers={"If-None-Match": settled.headers["ETag"]}
            )
        return token, game, settled.headers["ETag"]


def _request(path: str, headers: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1\r\n{headers}\r\n".encode()


def _rate(port: int, request: bytes, status: bytes) -> float:
    """Answers per second over a few connections, each with one request in flight."""
    end = time.monotonic() + SECONDS

    def poll(index: int) -> int:
        count = 0
        with (
            socket.create_connection(("127.0.0.1", port)) as connection,
            connection.makefile("rb") as answers,
        ):
            while time.monotonic() < end:
                connection.sendall(request)
                first = answers.readline()
                if first.split()[1:2] != [status]:
                    raise RuntimeError(f"expected {status!r}, got {first!r}")
                length = 0
                while (line := answers.readline()) != b"\r\n":
                    name, _, value = line.partition(b":")
                    if name.lower() == b"content-length":
                        length = int(value)
                if status != b"304":
                    answers.read(length)
                count += 1
        return count

    with ThreadPoolExecutor(CONNECTIONS) as clients:
        return sum(clients.map(poll, range(CONNECTIONS))) / SECONDS
