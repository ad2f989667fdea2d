"""What you may not see answers like what is not there: the same bytes, after the same commands of the store.

The table of routes is the list of cases: a route that takes an id of something that may be somebody else's is asked for
both. How long the answers take is measured by `python -m tests.bench absence`, and tested here by what the store is asked.
"""

from __future__ import annotations

import itertools
import re
from collections.abc import Iterator
from typing import Any, NamedTuple

import orjson
import pytest
from flask import Flask
from redis import Redis
from werkzeug.test import TestResponse

from engine import commands as c
from service.apidoc import noted
from service.app import create_app
from service.services import Services, in_memory
from service.store.players_server import RedisPlayers
from tests.api.documented import examples, operation_at, resolved
from tests.api.played import Table, finished, seated, started

APP = create_app(in_memory())

NOBODY_S: dict[str, tuple[str, ...]] = {
    "game_id": ("g_private", "g_started", "g_finished", "g_watched"),
    "game": ("g_private", "g_started", "g_finished", "g_watched"),
    "bot_id": ("{bot}", "{ada}"),
    "token_id": ("{token}",),
    "key": ("r1.t1.s1.card", "r1.t1.s1.row"),
    "player": ("{ada}",),
    "code": ("CODE",),
}
"""Of everything that a path or a query may name: what there is, and is not for Eve, who asks."""
ABSENT: dict[str, str] = {
    "game_id": "g_nothere",
    "game": "g_nothere",
    "bot_id": "p_" + "a" * 26,
    "token_id": "k_" + "0" * 16,
    "key": "r1.t1.s9.card",
    "player": "p_" + "a" * 26,
    "code": "C0DE",
}
"""What there is not."""
OWN: dict[str, str] = {
    "game_id": "g_own",
    "bot_id": "{own_bot}",
    "token_id": "k_1",
    "key": "r1.t1.s0.card",
    "seat": "1",
}
"""What stands where the comparison is about something else."""
PUBLIC = {"ruleset_id", "name", "path", "filename"}
"""What everybody may name."""


class Ask(NamedTuple):
    """One request, twice: for what is not Eve's, and for what is not there."""

    method: str
    hidden: str
    absent: str

    def __str__(self) -> str:
        """The request for what is hidden."""
        return f"{self.method} {self.hidden}"


def arguments(endpoint: str) -> set[str]:
    """Return the names of what a route takes in its query."""
    parameters = noted(APP.view_functions[endpoint]).get("arguments", {}).get("parameters", [])
    return {
        name
        for parameter in parameters
        if parameter["in"] == "query"
        for name in parameter["schema"]().fields
    }


def named(rule: str) -> list[str]:
    """Return the names of the arguments in the path of a rule."""
    return re.findall(r"<(?:[^:>]+:)?([^>]+)>", rule)


def asks() -> Iterator[Ask]:
    """Yield every request in which something is named that may be somebody else's."""
    for rule in sorted(APP.url_map.iter_rules(), key=lambda rule: (rule.rule, sorted(rule.methods or ()))):
        path = re.sub(r"<(?:[^:>]+:)?([^>]+)>", r"<\1>", rule.rule)
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            for name in named(rule.rule):
                for hidden in NOBODY_S.get(name, ()):
                    yield Ask(method, filled(path, name, hidden), filled(path, name, ABSENT[name]))
            for name in sorted(arguments(rule.endpoint) & NOBODY_S.keys()):
                for hidden in NOBODY_S[name]:
                    yield Ask(
                        method,
                        f"{filled(path)}?{name}={hidden}",
                        f"{filled(path)}?{name}={ABSENT[name]}",
                    )


def filled(path: str, name: str = "", value: str = "") -> str:
    """Return a path with the argument of that name, and what is Eve's own for the others."""
    for other in re.findall(r"<(\w+)>", path):
        path = path.replace(f"<{other}>", value if other == name else OWN[other])
    return path


ASKS = list(asks())


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
    me = client.get("/v1/me", headers=ada).json["id"]
    return {
        "ada": me,
        "bot": client.post("/v1/me/bots", json={"name": "Max"}, headers=ada).json["player"]["id"],
        "token": client.get("/v1/me/tokens", headers=ada).json["items"][0]["id"],
        "own_bot": client.post("/v1/me/bots", json={"name": "Moritz"}, headers=eve).json["player"]["id"],
        "eve": eve,
    }


def told(response: TestResponse) -> tuple[int, list[tuple[str, str]], Any]:
    """Return all that an answer says, but for the id of the request and the time of day."""
    headers = [item for item in response.headers if item[0] not in {"X-Request-Id", "Server-Time-Ms", "Date"}]
    return response.status_code, headers, re.sub(rb'"request_id":"[^"]+"', b"", response.data)


def body_of(method: str, path: str) -> Any:
    """Return a body that the operation takes, so that it is not refused before it has looked."""
    operation = operation_at(method, path.partition("?")[0]) or {}
    content = resolved(operation.get("requestBody", {})).get("content", {})
    return next((examples(body)[0] for body in content.values()), None)


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
    rules = [rule for rule in APP.url_map.iter_rules() if rule.rule.startswith("/v1")]
    names = {name for rule in rules for name in named(rule.rule)}
    assert names <= NOBODY_S.keys() | OWN.keys() | PUBLIC
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
    for game in ("g_private", "g_none"):
        _, commands = asked(client, games_client, "GET", f"/v1/games/{game}", world["eve"])
        assert commands == {"hmget": 2, "hget": 2, "xrange": 1, "evalsha": 1}


def test_a_difference_would_be_found(client: Any, games_client: Redis, world: dict[str, Any]) -> None:
    """The same comparison, for somebody who may see the one and not the other."""
    table = Table(client.application.extensions["take5"], "g_private", ())
    table.do(c.LeaveSeat(table.state().taken[2].player or ""))
    table.do(c.JoinSeat(client.get("/v1/me", headers=world["eve"]).json["id"], "Eve", "human"))
    for ask in ASKS:
        if ask.hidden == "/v1/games/g_private" and ask.method == "GET":
            seen, absent = (
                asked(client, games_client, "GET", path, world["eve"]) for path in (ask.hidden, ask.absent)
            )
            assert seen[0] != absent[0]
            assert seen[1] != absent[1]
            assert orjson.loads(seen[0][2])["id"] == "g_private"


@pytest.fixture
def app() -> Flask:
    """Not used here: everything is asked of real servers."""
    return APP
