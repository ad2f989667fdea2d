"""From the last laid card to the answer of a waiting request, beside the round trip of a job that does nothing.

Two writes on the way wait for the disk, none of the job's does: where the ratio is bad, look at the disk first.
"""

from __future__ import annotations

import json
import os
import tempfile
import time
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http import HTTPStatus
from http.client import HTTPConnection
from statistics import median
from typing import Any

import httpx
import rq
from redis import Redis
from rq.serializers import JSONSerializer

from tests.bench.servers import Stack

GAMES = 6
TURNS = 9
JOBS = 60
WRITES = 100
REST_S = 0.05
"""How long all is at rest before each measurement, of either kind: processes that just ran are faster."""
BAR = 4.0


def measure(stack: Stack) -> bool:
    """Print both medians and their ratio; whether it stays below the bar."""
    base = f"http://127.0.0.1:{stack.service}"
    turns: list[float] = []
    jobs: list[float] = []
    for _ in range(GAMES):  # by turns, so that whatever else the machine does weighs on both
        jobs += _no_op_jobs(stack.urls.queue, JOBS // GAMES)
        turns += _turns(base)
    ratio = median(turns) / median(jobs)
    print(f"no-op job's round trip     {1000 * median(jobs):6.1f} ms median of {len(jobs)}")
    print(
        f"last card to waiting answer{1000 * median(turns):6.1f} ms median of {len(turns)}   {ratio:.2f} times the job"
    )
    print(f"a write to the disk       {1000 * _synced():7.1f} ms median of {WRITES}")
    return ratio <= BAR


def _synced() -> float:
    """Seconds that the disk under the stores takes for what a command appends."""
    seconds = []
    with tempfile.TemporaryFile(prefix="take5-bench-") as file:
        for _ in range(WRITES):
            started = time.perf_counter()
            file.write(bytes(3000))
            file.flush()
            os.fsync(file.fileno())
            seconds.append(time.perf_counter() - started)
    return median(seconds)


def _no_op_jobs(url: str, count: int) -> list[float]:
    """Seconds from enqueueing a job that does nothing until its result is there."""
    with Redis.from_url(url) as client:
        queue = rq.Queue("turns", connection=client, serializer=JSONSerializer)
        seconds = []
        for _ in range(count):
            time.sleep(REST_S)
            started = time.perf_counter()
            job = queue.enqueue("operator.truth", 1, result_ttl=60)
            if job.latest_result(timeout=10) is None:
                raise RuntimeError("no worker took the job")
            seconds.append(time.perf_counter() - started)
        return seconds


def _turns(base: str) -> list[float]:
    """Seconds from sending the second of two cards until the other player's held request is answered with the new turn."""
    with httpx.Client(base_url=base) as ada, httpx.Client(base_url=base, timeout=40) as bo:
        for client, name in ((ada, "ada"), (bo, "bo")):
            token = client.post("/v1/players", json={"name": name, "kind": "human"}).json()["token"]
            client.headers["Authorization"] = f"Bearer {token}"
        options = {"ruleset": "classic", "seats": 2, "pace": "untimed", "end": {"rounds": 1}}
        game = ada.post("/v1/games", json=options).json()["id"]
        bo.post(f"/v1/games/{game}/seats", json={}).raise_for_status()
        ada.post(f"/v1/games/{game}/start").raise_for_status()
        return [seconds for _ in range(TURNS) if (seconds := _turn(ada, bo, game)) is not None]


def _turn(ada: httpx.Client, bo: httpx.Client, game: str) -> float | None:
    """The time of one turn; None for one with a row choice, which waits for a person."""
    _answer(ada, game)
    path, seen = f"/v1/games/{game}", bo.get(f"/v1/games/{game}")
    owed = bo.get("/v1/me/decisions", params={"game": game}).json()["items"][0]
    card = json.dumps({"card": owed["legal"]["cards"][0]})
    with _line(bo) as held, _line(bo) as line:
        _ask(line, bo, "GET", path)  # so that both are connected
        with ThreadPoolExecutor(1) as pool:
            arrived = pool.submit(_wait, held, bo, path, seen)
            time.sleep(REST_S)  # until the request is held
            started = time.perf_counter()
            _ask(line, bo, "PUT", f"{path}/decisions/{owed['key']}", card)
            finished, after = arrived.result()
    if after["phase"] != "choose_row":
        return finished - started
    chooser = ada if after["pending"]["seat"] == 0 else bo
    owed = chooser.get("/v1/me/decisions", params={"game": game}).json()["items"][0]
    chooser.put(f"{path}/decisions/{owed['key']}", json={"row": 0}).raise_for_status()
    while True:
        again = ada.get(path).json()
        if again["turn"] != seen.json()["turn"] or again["status"] != "playing":
            return None


def _wait(
    held: HTTPConnection, who: httpx.Client, path: str, seen: httpx.Response
) -> tuple[float, dict[str, Any]]:
    """When the turn was over for somebody who polls the game, and the game then."""
    turn, etag = seen.json()["turn"], seen.headers["ETag"]
    while True:
        body, etag = _ask(held, who, "GET", f"{path}?wait=25", etag=etag)
        moment, game = time.perf_counter(), json.loads(body)
        if game["turn"] != turn or game["phase"] != "lay_card":
            return moment, game


def _line(who: httpx.Client) -> closing[HTTPConnection]:
    """A connection whose client costs next to nothing: it is the service that is measured."""
    return closing(HTTPConnection(who.base_url.host, who.base_url.port))


def _ask(
    line: HTTPConnection, who: httpx.Client, method: str, path: str, body: str | None = None, etag: str = ""
) -> tuple[bytes, str]:
    """The body of a good answer, and its ETag."""
    headers = {"Authorization": who.headers["Authorization"], "If-None-Match": etag}
    line.request(method, path, body, headers | {"Content-Type": "application/json"})
    answer = line.getresponse()
    if answer.status != HTTPStatus.OK:
        raise RuntimeError(f"{method} {path} was answered {answer.status}")
    return answer.read(), answer.headers.get("ETag", "")


def _answer(client: httpx.Client, game: str) -> None:
    owed = client.get("/v1/me/decisions", params={"wait": 10, "game": game}).json()["items"][0]
    body = {"card": owed["legal"]["cards"][0]}
    client.put(f"/v1/games/{game}/decisions/{owed['key']}", json=body).raise_for_status()
