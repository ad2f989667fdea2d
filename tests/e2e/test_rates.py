"""Rates on a real server, over real connections: one request after the other always gets through, fifty at once do not."""

from __future__ import annotations

import json
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import closing
from http.client import HTTPConnection
from threading import Barrier
from urllib.parse import urlsplit

import pytest

from take5.client import Client
from tests.e2e.serving import Served, serving

ONE_AFTER_THE_OTHER = 5000
AT_ONCE = 50
EACH = 20
RATE = 20


@pytest.fixture(scope="module")
def served(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Served]:
    """A service that lets hardly anything through beside the one request in flight."""
    place = tmp_path_factory.mktemp("rates")
    rates = dict.fromkeys(("rate_reading", "rate_laying"), f"{RATE} per 300 seconds")
    with serving(place / "data", place / "log", address_factor="1", **rates) as running:
        yield running


@pytest.fixture
def table(served: Served) -> tuple[dict[str, str], str, str]:
    """Who may lay a card: the headers that say so, the path of the game, that of the decision."""
    with Client.signed_up(served.url, "Ada", "human") as client:
        game = client.create_game(ruleset="classic", seats=2, pace="untimed")["id"]
        with Client.signed_up(served.url, "Eve", "human") as other:
            other.call("POST", f"/v1/games/{game}/seats", {})
        client.call("POST", f"/v1/games/{game}/start")
        headers = {"Authorization": f"Bearer {client.token}", "Content-Type": "application/json"}
        return headers, f"/v1/games/{game}", f"/v1/games/{game}/decisions/r1.t1.s0.card"


def connected(served: Served) -> closing[HTTPConnection]:
    """A connection that is kept from one request to the next."""
    address = urlsplit(served.url)
    return closing(HTTPConnection(str(address.hostname), address.port, timeout=60))


def test_one_request_after_the_other_is_never_refused_however_fast_they_come(
    served: Served, table: tuple[dict[str, str], str, str]
) -> None:
    headers, game, decision = table
    with connected(served) as line:
        line.request("GET", "/v1/me/decisions", headers=headers)
        (owed,) = json.loads(line.getresponse().read())["items"]
        card = json.dumps({"card": owed["legal"]["cards"][0]})
        for number in range(ONE_AFTER_THE_OTHER):
            if number % 2:
                line.request("PUT", decision, card, headers)
            else:
                line.request("GET", game, headers=headers)
            answer = line.getresponse()
            assert answer.status == 200, answer.read()
            answer.read()


def test_fifty_connections_of_one_token_at_once_are_refused_and_none_of_its_cards_is(
    served: Served, table: tuple[dict[str, str], str, str]
) -> None:
    headers, game, decision = table
    start = Barrier(AT_ONCE)

    def poll(_: int) -> list[tuple[int, str | None]]:
        found = []
        with connected(served) as line:
            start.wait()
            for _ in range(EACH):
                line.request("GET", game, headers=headers)
                answer = line.getresponse()
                answer.read()
                found.append((answer.status, answer.headers["Retry-After"]))
        return found

    with ThreadPoolExecutor(AT_ONCE) as clients, connected(served) as line:
        polls = clients.map(poll, range(AT_ONCE))
        line.request("GET", "/v1/me/decisions", headers=headers)
        owed = json.loads(line.getresponse().read())
        found = [each for polled in polls for each in polled]
        refused = [retry_after for status, retry_after in found if status == 429]
        assert {status for status, _ in found} == {200, 429}
        assert len(refused) > len(found) / 2
        assert all(retry_after and int(retry_after) >= 1 for retry_after in refused)
        if "items" not in owed:  # it was one of those refused
            line.request("GET", "/v1/me/decisions", headers=headers)
            owed = json.loads(line.getresponse().read())
        line.request("PUT", decision, json.dumps({"card": owed["items"][0]["legal"]["cards"][0]}), headers)
        answer = line.getresponse()
        assert answer.status == 200, answer.read()
