"""What you may not see answers like what is not there: the same bytes, after the same commands of the store.

How long the answers take is measured by `python -m tests.bench absence`, and tested here by what the store is asked.
"""

from __future__ import annotations

import itertools
import re
from typing import Any

import orjson
import pytest
from flask import Flask
from redis import Redis
from werkzeug.test import TestResponse

from engine import commands as c
from service.app import create_app
from service.services import Services, in_memory
from service.store.players_server import RedisPlayers
from tests.api.absent import HIDDEN, OWN, PUBLIC, asks, body_of, named
from tests.api.played import Table, finished, seated, started

APP = create_app(in_memory())
ASKS = list(asks(APP))


@pytest.fixture
def app() -> Flask:
    """Only its table of routes is used here: everything is asked of real servers."""
    return APP


@pytest.fixture
def client(real_client: Any, monkeypatch: pytest.MonkeyPatch) -> Any:
    """A client on real servers, whose tokens are not noted as used when a minute begins, whatever is asked then."""
    monkeypatch.setattr(RedisPlayers, "_note_use", lambda *_: None)
    return real_client


@pytest.fixture
def world(client: Any) -> dict[str, Any]:
    """Ada's private games, her bot and token; and Eve, who has all that, too, but not Ada's."""
    hidden = {"visibility": "private", "votes": True}
    of_ada = seated(client, game="g_private", seats=3, **hidden)
    started(client, game="g_started", seats=2, **hidden)
    finished(client, game="g_finished", **hidden)
    started(client, game="g_watched", seats=2, spectators=False)
    of_eve = started(client, game="g_own", seats=2)
    client.application.extensions["take5"].games.name_code(
        "CODE", "g_started"
    )  # it had been told about before
    ada, eve = of_ada.headers[0], of_eve.headers[0]
    return {
        "lobby": "g_private",
        "playing": "g_started",
        "over": "g_finished",
        "unwatched": "g_watched",
        "no_game": "g_nothere",
        "ada": client.get("/v1/me", headers=ada).json["id"],
        "bot": client.post("/v1/me/bots", json={"name": "Max"}, headers=ada).json["player"]["id"],
        "nobody": "p_" + "a" * 26,
        "token": client.get("/v1/me/tokens", headers=ada).json["items"][0]["id"],
        "no_token": "k_" + "0" * 16,
        "code": "CODE",
        "no_code": "C0DE",
        "own_game": "g_own",
        "own_bot": client.post("/v1/me/bots", json={"name": "Moritz"}, headers=eve).json["player"]["id"],
        "eve": eve,
    }


def told(response: TestResponse) -> tuple[int, list[tuple[str, str]], Any]:
    """Return all that an answer says, but for the id of the request and the time of day."""
    headers = [item for item in response.headers if item[0] not in {"X-Request-Id", "Server-Time-Ms", "Date"}]
    return response.status_code, headers, re.sub(rb'"request_id":"[^"]+"', b"", response.data)


def asked(client: Any, games_client: Redis, method: str, path: str, headers: dict[str, str]) -> Any:
    """Ask, and return what was told and how often each command of the store was carried out for it."""
    games_client.config_resetstat()
    response = client.open(path, method=method, json=body_of(method, path), headers=headers)
    commands = {
        name.removeprefix("cmdstat_"): stat["calls"]
        for name, stat in games_client.info("commandstats").items()
        if name not in {"cmdstat_config|resetstat", "cmdstat_info"}
    }
    assert response.status_code < 500, response.data
    return told(response), commands


def test_every_route_that_names_something_is_asked() -> None:
    names = {
        name for rule in APP.url_map.iter_rules() if rule.rule.startswith("/v1") for name in named(rule.rule)
    }
    assert names <= HIDDEN.keys() | OWN.keys() | PUBLIC
    assert len(ASKS) > 80
    assert {ask.method for ask in ASKS} == {"GET", "PUT", "POST", "PATCH", "DELETE"}


@pytest.mark.parametrize("who", ["eve", "nobody"])
def test_what_is_not_for_you_answers_like_what_is_not_there(
    client: Any, games_client: Redis, world: dict[str, Any], who: str
) -> None:
    headers = world["eve"] if who == "eve" else {}
    differing = []
    for ask, accept in itertools.product(ASKS, ("*/*", "text/event-stream")):
        if accept != "*/*" and not ask.hidden.endswith("/events"):
            continue
        sent = {**headers, "Accept": accept}
        paths = (ask.hidden, ask.absent) * 2  # the second time scripts and games are known
        answers = [asked(client, games_client, ask.method, path.format(**world), sent) for path in paths]
        if answers[2] != answers[3] or answers[0][0] != answers[1][0]:
            differing.append((str(ask), accept, answers[2:]))
    assert differing == []


def test_a_process_that_has_just_begun_asks_no_more_of_its_store(
    client: Any, games_client: Redis, world: dict[str, Any]
) -> None:
    services: Services = client.application.extensions["take5"]
    for ask in ASKS:
        answers = []
        for path in (ask.absent, ask.hidden, ask.absent):
            services.play._lives.clear()
            answers.append(asked(client, games_client, ask.method, path.format(**world), world["eve"]))
        assert answers[1] == answers[2], ask


def test_who_is_refused_costs_the_store_no_more_than_who_asks_for_nothing(
    client: Any, games_client: Redis, world: dict[str, Any]
) -> None:
    asked(client, games_client, "GET", "/v1/games/g_own", world["eve"])  # sends the script
    for game in ("g_private", "g_nothere"):
        _, commands = asked(client, games_client, "GET", f"/v1/games/{game}", world["eve"])
        assert commands == {"hmget": 2, "hget": 2, "xrange": 1, "evalsha": 1}


def test_a_difference_would_be_found(client: Any, games_client: Redis, world: dict[str, Any]) -> None:
    """The same comparison, for somebody who may see the one and not the other."""
    table = Table(client.application.extensions["take5"], "g_private", ())
    table.do(c.LeaveSeat(table.state().taken[2].player or ""))
    table.do(c.JoinSeat(client.get("/v1/me", headers=world["eve"]).json["id"], "Eve", "human"))
    seen, absent = (
        asked(client, games_client, "GET", f"/v1/games/{game}", world["eve"])
        for game in ("g_private", "g_nothere")
    )
    assert seen[0] != absent[0]
    assert seen[1] != absent[1]
    assert orjson.loads(seen[0][2])["id"] == "g_private"
