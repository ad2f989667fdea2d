"""Streams over real processes: whatever breaks, every event is told once and in order."""

from __future__ import annotations

import os
import socket
import time
from collections.abc import Iterator
from pathlib import Path
from urllib.parse import urlsplit

import pytest

from engine.log import Envelope
from service.store.connect import games_client
from service.store.play import Play
from service.store.server import RedisStore
from take5.client import Client
from tests.e2e.chaos import NoWakes
from tests.e2e.people import Party, Table
from tests.e2e.restless import NDJSON, SSE, Restless, faults
from tests.e2e.serving import Served, serving, start, stop

END_WITHIN_S = 90


@pytest.fixture
def served(tmp_path: Path) -> Iterator[Served]:
    with serving(tmp_path / "data", tmp_path / "log") as running:
        yield running


def followed(party: Party, url: str) -> list[Restless]:
    """Readers of a game and of its players, in every form, who lose their connection after a few messages."""
    game = f"/v1/games/{party.game}/events"
    tokens = [client.token for client in party.clients]
    readers = [
        Restless(url, game, None, SSE, 1, after="0"),
        Restless(url, game, tokens[0], NDJSON, 2, after="0"),
        Restless(url, "/v1/me/events", tokens[0], SSE, 3),
        Restless(url, "/v1/me/events", tokens[1], NDJSON, 4),
    ]
    return [reader.begin() for reader in readers]


def play_on(party: Party, until: int) -> None:
    """Return when so many answers were given, or the game is over."""
    give_up = time.monotonic() + END_WITHIN_S
    while len(party.answered) < until and not party.over.is_set():
        assert time.monotonic() < give_up, "the game does not go on"
        if party.look() != "playing":
            return
        os.sched_yield()


def log_of(served: Served, game: str) -> list[Envelope]:
    with games_client(served.games_url, threads=1) as client:
        return Play(RedisStore(client), NoWakes()).log(game)


def judged(readers: list[Restless], log: list[Envelope], firsts: list[int]) -> list[str]:
    """What is wrong with what the readers were told, once all of it has arrived."""
    give_up = time.monotonic() + 30
    for reader in readers:
        while not reader.is_over and time.monotonic() < give_up:
            os.sched_yield()
        reader.stop()
    return [
        fault for reader, first in zip(readers, firsts, strict=True) for fault in faults(reader, log, first)
    ]


def test_who_loses_the_connection_every_few_events_is_told_all_of_them_once(served: Served) -> None:
    party = Party(served.url, Table(3, {2: "random"}, {"end": {"rounds": 3}}), seed=5)
    party.sit_down()
    readers = followed(party, served.url)
    while not all(reader.told for reader in readers):
        os.sched_yield()
    first = [1, 1, *(reader.told[0].data["games"][0]["seq"] + 1 for reader in readers[2:])]
    party.begin()
    play_on(party, 20)
    assert served.kill("API", 1)  # the one that serves
    play_on(party, 35)
    assert served.kill("games store")
    play_on(party, 1000)
    party.stop()
    assert party.refused + judged(readers, log_of(served, party.game), first) == []
    assert min(reader.connections for reader in readers) > 20
    party.leave()


def test_a_restart_ends_streams_in_order_and_they_go_on_after_it(tmp_path: Path) -> None:
    before = start(tmp_path / "data", tmp_path / "log")
    try:
        party = Party(before.url, Table(2, {1: "lowest_risk"}, {"end": {"rounds": 1}}), seed=6)
        party.sit_down()
        game, token = party.game, party.clients[0].token
        readers = [
            Restless(before.url, f"/v1/games/{game}/events", None, SSE, 1, lives_s=25, after="0").begin(),
            Restless(before.url, "/v1/me/events", token, NDJSON, 2, lives_s=25).begin(),
        ]
        client = party.clients[0]
        for _ in range(2):
            for decision in client.decisions(game=game, wait=5):
                client.answer(decision, **({"card": decision.cards[0]} if decision.cards else {"row": 0}))
        while not all(reader.told for reader in readers):
            os.sched_yield()
    finally:
        assert stop(before) == 0
    with serving(tmp_path / "data", tmp_path / "log") as after:
        for reader in readers:
            reader.url = after.url
        with Client(after.url, token) as client:
            while client.game(game)["status"] == "playing":
                for decision in client.decisions(game=game, wait=2):
                    client.answer(decision, **({"card": decision.cards[0]} if decision.cards else {"row": 0}))
        party.leave()
        first = [1, readers[1].told[0].data["games"][0]["seq"] + 1]
        assert judged(readers, log_of(after, game), first) == []


def test_who_reads_nothing_holds_nobody_up(served: Served) -> None:
    party = Party(served.url, Table(2, {0: "random", 1: "random"}, {"end": {"rounds": 10}}), seed=7)
    party.sit_down()
    address = urlsplit(served.url)
    assert address.hostname
    lines = []
    for _ in range(5):
        line = socket.create_connection((address.hostname, address.port or 80), timeout=30)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
        path = f"/v1/games/{party.game}/events?after=0"
        line.sendall(f"GET {path} HTTP/1.1\r\nHost: x\r\nAccept: {SSE}\r\n\r\n".encode())
        lines.append(line)
    while party.look() == "playing":
        os.sched_yield()
    log = log_of(served, party.game)
    reader = Restless(
        served.url, f"/v1/games/{party.game}/events", None, SSE, 1, lives_s=25, after="0"
    ).begin()
    assert judged([reader], log, [1]) == []
    for line in lines:
        line.close()
    party.leave()
