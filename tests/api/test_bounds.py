"""What the document forbids of a request, the service refuses: every field and every argument of every route."""

from collections.abc import Callable, Iterator
from typing import Any, Final

import pytest
from flask import Flask
from jsonschema import Draft202012Validator

from service.app import create_app
from service.services import in_memory
from tests.api.documented import OPERATIONS, REGISTRY, examples, resolved
from tests.api.kinds import MakePlayer, Refused
from tests.api.played import started

Ask = Callable[..., Any]

APP = create_app(in_memory())
VALUES: Final[tuple[Any, ...]] = (
    True,
    None,
    -1,
    10**6,
    5.5,
    "",
    "nothing",
    "a" * 1000,
    "\u202e",
    [],
    [[]],
    {},
    {"surprise": 1},
)
"""One of these is wrong for whatever is not free of bounds."""


def wrong(schema: dict[str, Any]) -> Iterator[Any]:
    """Yield values that a schema forbids, those just outside of its bounds among them."""
    beyond = [schema[bound] + step for bound, step in (("minimum", -1), ("maximum", 1)) if bound in schema]
    if "maxLength" in schema:
        beyond.append("a" * (schema["maxLength"] + 1))
    validator = Draft202012Validator(schema, registry=REGISTRY)
    yield from (value for value in (*VALUES, *beyond) if not validator.is_valid(value))


ARGUMENTS = [
    (name, parameter["name"], value)
    for name, operation in OPERATIONS
    for parameter in operation.get("parameters", ())
    if parameter["in"] == "query"
    for value in wrong(parameter["schema"])
    if isinstance(value, str) or (type(value) is int and parameter["schema"]["type"] == "integer")
]
FIELDS = [
    (name, field, {**examples(body)[0], field: value})
    for name, operation in OPERATIONS
    for body in resolved(operation.get("requestBody", {})).get("content", {}).values()
    for field, schema in resolved(body["schema"])["properties"].items()
    for value in wrong(schema)
]


@pytest.fixture
def app() -> Flask:
    """One application for all these tests: nothing that they ask for is done."""
    return APP


@pytest.fixture(scope="module")
def lobby() -> dict[str, Any]:
    """A game with free seats, its host and somebody who wants to sit down."""
    client: Any = APP.test_client()
    made = [client.post("/v1/players", json={"name": name, "kind": "human"}).json for name in ("Ada", "Eve")]
    ada, eve = ({"Authorization": f"Bearer {one['token']}"} for one in made)
    created = client.post("/v1/games", json={"ruleset": "classic", "seats": 3}, headers=ada)
    bot = client.post("/v1/me/bots", json={"name": "Max"}, headers=ada).json["player"]["id"]
    return {"game": created.json["id"], "bot": bot, "host": ada, "guest": eve}


@pytest.fixture(scope="module")
def playing() -> dict[str, str]:
    """Who holds seat 0 of `g_1`, which is played."""
    return started(APP.test_client()).headers[0]


def test_there_is_something_to_forbid() -> None:
    assert len(ARGUMENTS) > 50
    assert len(FIELDS) > 200


@pytest.mark.parametrize(("name", "argument", "value"), ARGUMENTS)
def test_a_wrong_argument_is_refused(
    client: Any, player: MakePlayer, refused: Refused, name: str, argument: str, value: Any
) -> None:
    method, path = name.split()
    response = client.open(
        path.replace("{", "").replace("}", ""),
        method=method,
        query_string={argument: value},
        headers=player(),
    )
    assert response.status_code == 422
    assert refused(response)["errors"][0]["pointer"] == f"?{argument}"


@pytest.fixture
def ask(client: Any, lobby: dict[str, Any], playing: dict[str, str]) -> Ask:
    """Sends a body to an operation, for somebody who may send a right one."""

    def send(name: str, body: Any = None, who: str = "host") -> Any:
        method, path = name.split()
        headers, values = lobby[who], {"game_id": lobby["game"], "bot_id": lobby["bot"], "seat": 1}
        if "{key}" in path:
            headers, values = playing, {"game_id": "g_1", "key": "r1.t1.s0.card"}
        return client.open(path.format(**values), method=method, json=body, headers=headers)

    return send


@pytest.mark.parametrize(("name", "field", "body"), FIELDS)
def test_a_wrong_field_is_refused(ask: Ask, refused: Refused, name: str, field: str, body: Any) -> None:
    response = ask(name, body, "guest" if name.endswith("/seats") else "host")
    assert response.status_code == 422, response.json
    assert refused(response)["errors"][0]["pointer"].startswith(f"/{field}")


@pytest.mark.parametrize(
    ("name", "is_required"),
    [(name, one["requestBody"]["required"]) for name, one in OPERATIONS if "requestBody" in one],
)
def test_a_body_is_required_exactly_where_none_is_refused(ask: Ask, name: str, *, is_required: bool) -> None:
    assert (ask(name).status_code == 422) == is_required
