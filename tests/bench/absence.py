"""What is not yours beside what is not there, request by request: how long the two answers take, as a ratio."""

from __future__ import annotations

import json
import socket
import time
from contextlib import closing
from http.client import HTTPConnection
from statistics import median
from typing import Any

import httpx

from service.app import create_app
from service.services import in_memory
from tests.api.absent import asks, body_of
from tests.bench.servers import Stack

TIMES = 80
"""How often each of the two is asked, by turns; ten times more, where the ratio is out of bounds then."""
EACH = (0.75, 1.33)
ALL = (0.97, 1.03)
"""Where the ratio of every request, and the median of all ratios, must lie."""


def measure(stack: Stack) -> bool:
    """Print the ratios; whether no request tells by its time what its answer does not tell."""
    base = f"http://127.0.0.1:{stack.service}"
    world, token = _world(base)
    headers = {"Authorization": f"Bearer {token}", "Content-Type": "application/json"}
    ratios: dict[str, float] = {}
    ratio = 0.0
    with closing(HTTPConnection("127.0.0.1", stack.service)) as line:
        line.connect()
        line.sock.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for ask in asks(create_app(in_memory())):
            body = body_of(ask.method, ask.hidden)
            sent = None if body is None else json.dumps(body)
            paths = ask.hidden.format(**world), ask.absent.format(**world)
            for times in (TIMES, 10 * TIMES):
                ratio = _ratio(line, ask.method, paths, sent, headers, times)
                if EACH[0] <= ratio <= EACH[1]:
                    break
            ratios[str(ask)] = ratio
    middle = median(ratios.values())
    ordered = sorted(ratios, key=lambda name: ratios[name])
    print(f"absence: {len(ratios)} requests, {TIMES} times each; not yours / not there, by the median")
    print(f"  median of all {middle:.3f}")
    for name in (ordered[0], ordered[-1]):
        print(f"  {'lowest' if name == ordered[0] else 'highest':<13} {ratios[name]:.3f}   {name}")
    return ALL[0] <= middle <= ALL[1] and all(EACH[0] <= ratio <= EACH[1] for ratio in ratios.values())


def _ratio(
    line: HTTPConnection,
    method: str,
    paths: tuple[str, str],
    body: str | None,
    headers: dict[str, str],
    times: int,
) -> float:
    """How much longer the first takes than the second."""
    taken: dict[str, list[float]] = {path: [] for path in paths}
    for turn in range(times):
        for path in paths if turn % 2 else reversed(paths):
            taken[path].append(_seconds(line, method, path, body, headers))
    return median(taken[paths[0]]) / median(taken[paths[1]])


def _seconds(
    line: HTTPConnection, method: str, path: str, body: str | None, headers: dict[str, str]
) -> float:
    begun = time.perf_counter()
    line.request(method, path, body, headers)
    answer = line.getresponse()
    answer.read()
    taken = time.perf_counter() - begun
    if answer.status >= 500:
        raise RuntimeError(f"{method} {path}: {answer.status}")
    return taken


def _world(base: str) -> tuple[dict[str, str], str]:
    """Ada's games, bot and token, what there is not, and what is Eve's own; and Eve's token."""
    with httpx.Client(base_url=base) as ada, httpx.Client(base_url=base) as eve:
        tokens = {client: _sign_up(client) for client in (ada, eve)}
        lobby, playing, over = (_game(ada, visibility="private", seats=seats) for seats in (3, 2, 2))
        unwatched = _game(ada, spectators=False, seats=2)
        for game in (playing, unwatched):
            ada.post(f"/v1/games/{game}/seats/1/bot", json={"house": "random"}).raise_for_status()
            ada.post(f"/v1/games/{game}/start").raise_for_status()
        ada.delete(f"/v1/games/{over}").raise_for_status()
        own = _game(eve, seats=2)
        eve.post(f"/v1/games/{own}/seats/1/bot", json={"house": "random"}).raise_for_status()
        eve.post(f"/v1/games/{own}/start").raise_for_status()
        code = ada.get(f"/v1/games/{lobby}").json()["join_code"]
        world = {
            "lobby": lobby,
            "playing": playing,
            "over": over,
            "unwatched": unwatched,
            "no_game": "g_" + "a" * 26,
            "ada": ada.get("/v1/me").json()["id"],
            "bot": _bot(ada),
            "nobody": "p_" + "a" * 26,
            "token": ada.get("/v1/me/tokens").json()["items"][0]["id"],
            "no_token": "k_" + "0" * 16,
            "code": code[:-1] + ("2" if code[-1] != "2" else "3"),
            "no_code": "2" * len(code),
            "own_game": own,
            "own_bot": _bot(eve),
        }
        return world, tokens[eve]


def _sign_up(client: httpx.Client) -> str:
    token: str = client.post("/v1/players", json={"name": "somebody", "kind": "human"}).json()["token"]
    client.headers["Authorization"] = f"Bearer {token}"
    return token


def _game(client: httpx.Client, **options: Any) -> str:
    wanted = {"ruleset": "classic", "pace": "untimed", **options}
    game: str = client.post("/v1/games", json=wanted).raise_for_status().json()["id"]
    return game


def _bot(client: httpx.Client) -> str:
    bot: str = client.post("/v1/me/bots", json={"name": "Max"}).raise_for_status().json()["player"]["id"]
    return bot
