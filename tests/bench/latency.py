"""From the last laid card to the answer of a waiting request, beside the round trip of a job that does nothing."""

from __future__ import annotations

import time
from statistics import median
from threading import Thread
from typing import Any

import httpx
import rq
from redis import Redis
from rq.serializers import JSONSerializer

from tests.bench.servers import Stack

GAMES = 6
TURNS = 9
JOBS = 60
BAR = 4.0


def measure(stack: Stack) -> bool:
    """Print both medians and their ratio; whether it stays below the bar."""
    base = f"http://127.0.0.1:{stack.service}"
    turns: list[float] = []
    jobs = _no_op_jobs(stack.urls.queue, JOBS // 2)
    for _ in range(GAMES):
        turns += _turns(base)
    jobs += _no_op_jobs(stack.urls.queue, JOBS // 2)
    ratio = median(turns) / median(jobs)
    print(f"no-op job's round trip     {1000 * median(jobs):6.1f} ms median of {len(jobs)}")
    print(
        f"last card to waiting answer{1000 * median(turns):6.1f} ms median of {len(turns)}   {ratio:.2f} times the job"
    )
    return ratio <= BAR


def _no_op_jobs(url: str, count: int) -> list[float]:
    """Seconds from enqueueing a job that does nothing until its result is there."""
    with Redis.from_url(url) as client:
        queue = rq.Queue("turns", connection=client, serializer=JSONSerializer)
        seconds = []
        for _ in range(count):
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
    arrived: list[tuple[float, dict[str, Any]]] = []
    seen = bo.get(f"/v1/games/{game}")
    turn = seen.json()["turn"]

    def wait() -> None:
        held = seen
        while True:
            held = bo.get(
                f"/v1/games/{game}", params={"wait": 25}, headers={"If-None-Match": held.headers["ETag"]}
            )
            if held.json()["turn"] != turn or held.json()["phase"] != "lay_card":
                arrived.append((time.perf_counter(), held.json()))
                return

    waiter = Thread(target=wait)
    waiter.start()
    time.sleep(0.05)  # until the request is held
    decision = ada.get("/v1/me/decisions", params={"game": game})
    if decision.json()["items"]:
        raise RuntimeError("the first seat owes nothing now")
    with httpx.Client(base_url=str(bo.base_url), headers=bo.headers) as other:
        owed = other.get("/v1/me/decisions", params={"game": game}).json()["items"][0]
        started = time.perf_counter()
        other.put(f"/v1/games/{game}/decisions/{owed['key']}", json={"card": owed["legal"]["cards"][0]})
    waiter.join()
    finished, after = arrived[0]
    if after["phase"] != "choose_row":
        return finished - started
    chooser = ada if after["pending"]["seat"] == 0 else bo
    owed = chooser.get("/v1/me/decisions", params={"game": game}).json()["items"][0]
    chooser.put(f"/v1/games/{game}/decisions/{owed['key']}", json={"row": 0}).raise_for_status()
    while True:
        again = ada.get(f"/v1/games/{game}").json()
        if again["turn"] != turn or again["status"] != "playing":
            return None


def _answer(client: httpx.Client, game: str) -> None:
    owed = client.get("/v1/me/decisions", params={"wait": 10, "game": game}).json()["items"][0]
    body = {"card": owed["legal"]["cards"][0]}
    client.put(f"/v1/games/{game}/decisions/{owed['key']}", json=body).raise_for_status()
