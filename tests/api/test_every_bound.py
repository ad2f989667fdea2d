"""Every bound that is published is kept, and answered with the code that is published beside it."""

from collections.abc import Callable
from typing import Any, Final

import pytest

from service import limiting
from service.app import create_app
from service.bounds import BODY_DEPTH, KEY_CHARACTERS
from service.codes import CODES
from service.config import Config
from service.services import Services, in_memory
from service.store.players import TOKENS_MAX
from tests.api.kinds import MakePlayer, Refused
from tests.api.played import started

Beyond = Callable[[Any, dict[str, str]], Any]

GAME: Final = {"ruleset": "classic", "seats": 2}
SMALL: Final = Config(
    games_per_player=2,
    games_per_day=4,
    players_per_day=3,
    changes_per_hour=3,
    max_waiting_each=1,
    max_streams_per_token=0,
)
READ_BY_THE_SERVER: Final = {"request_line_bytes", "headers", "head_bytes", "header_bytes"}
"""These are kept by the HTTP server, and tested there: tests/e2e/test_secrets.py."""


def until_refused(ask: Callable[[], Any]) -> Any:
    """Ask until it is refused, which must be soon."""
    for _ in range(30):
        answer = ask()
        if answer.status_code >= 400:
            return answer
    raise AssertionError("nobody refused it")


def create_and_close(client: Any, headers: dict[str, str]) -> Any:
    made = client.post("/v1/games", json=GAME, headers=headers)
    if made.status_code == 201:
        client.delete(f"/v1/games/{made.json['id']}", headers=headers)
    return made


def change(client: Any, headers: dict[str, str]) -> Any:
    game = client.post("/v1/games", json=GAME, headers=headers).json["id"]
    return until_refused(
        lambda: client.patch(f"/v1/games/{game}/seats/me", json={"ready": False}, headers=headers)
    )


def wait(client: Any, headers: dict[str, str]) -> Any:
    path = "/v1/me/decisions?wait=25"
    with client.application.test_request_context(path, headers=headers):
        limiting.begin()
        limiting.hold()
        return client.get(path, headers=headers)


def stream(client: Any, headers: dict[str, str]) -> Any:
    game = client.post("/v1/games", json=GAME, headers=headers).json["id"]
    return client.get(f"/v1/games/{game}/events", headers={**headers, "Accept": "text/event-stream"})


def stream_of_address(_: Any, __: dict[str, str]) -> Any:
    settings = Config(max_streams_per_token=9, max_streams_per_address=0)
    roomy: Any = create_app(in_memory(settings)).test_client()
    made = roomy.post("/v1/players", json={"name": "Ada", "kind": "human"}).json
    return stream(roomy, {"Authorization": f"Bearer {made['token']}"})


def vote(client: Any, _: dict[str, str]) -> Any:
    table = started(client)
    return client.post("/v1/games/g_1/votes", json={"kind": "pause"}, headers=table.headers[0])


def plan(client: Any, _: dict[str, str]) -> Any:
    table = started(client)
    body = {"plan": [1] * 105}
    return client.put("/v1/games/g_1/decisions/r1.d1.s0.pick", json=body, headers=table.headers[0])


def with_key(client: Any, headers: dict[str, str], key: str) -> Any:
    return client.post("/v1/me/tokens", json={}, headers={**headers, "Idempotency-Key": key})


def many_keys(client: Any, headers: dict[str, str]) -> Any:
    keys = iter(range(30))
    return until_refused(lambda: with_key(client, headers, f"{next(keys):022}"))


def deep(client: Any, headers: dict[str, str]) -> Any:
    body = "[" * (BODY_DEPTH + 1) + "]" * (BODY_DEPTH + 1)
    return client.post("/v1/games", data=body, headers={**headers, "Content-Type": "application/json"})


def large(client: Any, headers: dict[str, str]) -> Any:
    return client.post(
        "/v1/games", data=b" " * 65_537, headers={**headers, "Content-Type": "application/json"}
    )


BEYOND: Final[dict[str, Beyond]] = {
    "body_bytes": large,
    "body_depth": deep,
    "page_items": lambda client, headers: client.get("/v1/games?limit=101", headers=headers),
    "name_characters": lambda client, headers: client.patch(
        "/v1/me", json={"name": "a" * 41}, headers=headers
    ),
    "plan_cards": plan,
    "idempotency_key_characters": lambda client, headers: with_key(
        client, headers, "a" * (KEY_CHARACTERS + 1)
    ),
    "idempotency_keys": many_keys,
    "tokens": lambda client, headers: until_refused(
        lambda: client.post("/v1/me/tokens", json={}, headers=headers)
    ),
    "bots": lambda client, headers: until_refused(
        lambda: client.post("/v1/me/bots", json={"name": "Max"}, headers=headers)
    ),
    "games": lambda client, headers: until_refused(
        lambda: client.post("/v1/games", json=GAME, headers=headers)
    ),
    "games_a_day": lambda client, headers: until_refused(lambda: create_and_close(client, headers)),
    "players_a_day": lambda client, _: until_refused(
        lambda: client.post("/v1/players", json={"name": "Ada", "kind": "human"})
    ),
    "changes_an_hour": change,
    "votes": vote,
    "waiting": wait,
    "streams": stream,
    "address_streams": stream_of_address,
}


@pytest.fixture
def services() -> Services:
    """Services with small bounds."""
    return in_memory(SMALL)


def test_there_is_a_way_beyond_every_bound_that_is_published(client: Any) -> None:
    published = {bound["name"]: bound for bound in client.get("/v1/limits").json["bounds"]}
    assert published.keys() == BEYOND.keys() | READ_BY_THE_SERVER
    assert all(bound["code"] in CODES for bound in published.values())
    in_force = {
        "games": 2,
        "games_a_day": 4,
        "players_a_day": 3,
        "changes_an_hour": 3,
        "waiting": 1,
        "streams": 0,
        "tokens": TOKENS_MAX,
    }
    assert {name: published[name]["most"] for name in in_force} == in_force


@pytest.mark.parametrize("name", BEYOND)
def test_what_goes_beyond_a_bound_is_refused_with_its_code(
    client: Any, player: MakePlayer, refused: Refused, monkeypatch: pytest.MonkeyPatch, name: str
) -> None:
    monkeypatch.setattr("service.store.slots.KEPT_MAX", 5)
    monkeypatch.setattr("engine.agreements.MOST_VOTES", 0)
    monkeypatch.setattr("service.store.players_memory.BOTS_MAX", 2)
    (code,) = (bound["code"] for bound in client.get("/v1/limits").json["bounds"] if bound["name"] == name)
    problem = refused(BEYOND[name](client, player()))
    assert problem["code"] == code
    assert ("retry_after_ms" in problem) == (problem["status"] == 429)


def test_what_reaches_a_bound_is_served(client: Any, player: MakePlayer) -> None:
    headers = player()
    assert client.get("/v1/games?limit=100", headers=headers).status_code == 200
    assert client.patch("/v1/me", json={"name": "a" * 40}, headers=headers).status_code == 200
    assert with_key(client, headers, "a" * KEY_CHARACTERS).status_code == 201
    for _ in range(2):
        assert client.post("/v1/games", json=GAME, headers=headers).status_code == 201


def test_an_answer_that_is_given_again_is_no_change(client: Any, player: MakePlayer) -> None:
    game = client.post("/v1/games", json=GAME, headers=player()).json["id"]
    headers = {**player(), "Idempotency-Key": "a" * 22}
    statuses = {
        client.post(f"/v1/games/{game}/seats", json={}, headers=headers).status_code
        for _ in range(SMALL.changes_per_hour + 2)
    }
    assert statuses == {201}


def test_a_bound_among_other_mistakes_is_one_of_them(client: Any, refused: Refused) -> None:
    problem = refused(client.post("/v1/players", json={"name": "a" * 41, "kind": "cat"}))
    assert problem["code"] == "invalid_request"
    assert {error["pointer"] for error in problem["errors"]} == {"/name", "/kind"}
    problem = refused(client.post("/v1/players", json={"name": "a" * 41, "kind": "human"}))
    assert problem["code"] == "name_too_long"
    assert problem["errors"] == [
        {"in": "body", "pointer": "/name", "detail": "A name has 1 to 40 characters."}
    ]


def test_every_list_says_alike_that_a_page_is_too_large(
    client: Any, player: MakePlayer, refused: Refused
) -> None:
    headers = player()
    game = client.post("/v1/games", json=GAME, headers=headers).json["id"]
    path_of = {"ruleset_id": "classic", "game_id": game}
    lists = [
        path.format_map(path_of)
        for path, operations in client.get("/v1/openapi.json").json["paths"].items()
        if "{bot_id}" not in path
        and any(one.get("name") == "limit" for one in operations.get("get", {}).get("parameters", ()))
    ]
    assert len(lists) > 5
    codes = {path: refused(client.get(f"{path}?limit=101", headers=headers))["code"] for path in lists}
    assert set(codes.values()) == {"page_too_large"}, codes
