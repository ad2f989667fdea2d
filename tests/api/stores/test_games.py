"""Games: opened once, found by whom they are meant for, shown as their viewer may see them, changed by their host alone."""

import re
from collections.abc import Callable
from typing import Any

import pytest

from service.schemas.games import GameSchema
from service.store.idempotency import Idempotency
from service.store.slots import MemorySlots
from tests.api.kinds import MakePlayer, Refused
from tests.api.played import seated, started
from tests.api.stores.opening import TWO, opened


def test_a_new_game_has_its_creator_on_seat_0(client: Any, player: MakePlayer) -> None:
    headers = player("Ada")
    response = client.post("/v1/games", json=TWO, headers=headers)
    game, me = response.json, client.get("/v1/me", headers=headers).json
    assert response.status_code == 201
    assert response.headers["Location"] == f"/v1/games/{game['id']}"
    assert re.fullmatch(r"g_[a-z2-7]{26}", game["id"])
    assert re.fullmatch(r"[0-9a-f]{64}", game["seed_commit"])
    assert re.fullmatch(r"[2-9A-Z]{10}", game["join_code"])
    assert (game["status"], game["host"], game["you"]) == ("lobby", me["id"], 0)
    assert [seat and seat["player"] for seat in game["seats"]] == [me["id"], None]
    assert me["active_games"] == [game["id"]]
    assert GameSchema().load(game) == game
    shown = client.get(f"/v1/games/{game['id']}", headers=headers)
    assert (shown.data, shown.headers["ETag"]) == (response.data, response.headers["ETag"])


def test_a_host_may_stand_beside_the_table(client: Any, player: MakePlayer) -> None:
    headers = player()
    game = opened(client, headers, seat_me=False, visibility="private")
    assert (game["you"], game["seats"]) == (None, [None, None])
    assert client.get(f"/v1/games/{game['id']}", headers=headers).json == game
    assert client.get("/v1/me", headers=headers).json["active_games"] == []


def test_every_game_has_a_secret_of_its_own(client: Any, player: MakePlayer) -> None:
    headers = player()
    games = [opened(client, headers) for _ in range(3)]
    for name in ("id", "seed_commit", "join_code"):
        assert len({game[name] for game in games}) == 3


def test_what_is_not_said_is_the_rule_set_s(client: Any, player: MakePlayer) -> None:
    options = opened(client, player(), ruleset="category-5", seats=3)["options"]
    assert options["end"] == {"points": 74, "when": "exceeded"}
    assert options["pace"] == {
        "name": "live",
        "turn_ms": 60_000,
        "row_ms": 30_000,
        "draft_ms": None,
        "bank_ms": 0,
    }
    assert options["visibility"] == "listed"


@pytest.mark.parametrize(
    ("change", "code", "pointers"),
    [
        ({"seats": 1}, "bad_options", ["/seats"]),
        ({"seats": 11}, "bad_options", ["/seats"]),
        ({"seats": True}, "bad_options", ["/seats"]),
        ({"seats": 5.0}, "bad_options", ["/seats"]),
        ({"seats": "5"}, "bad_options", ["/seats"]),
        ({"seats": None}, "invalid_request", ["/seats"]),
        ({"ruleset": "poker"}, "ruleset_unknown", ["/ruleset"]),
        ({"ruleset": 6}, "bad_options", ["/ruleset"]),
        ({"end": {"points": 66, "rounds": 3}}, "bad_options", ["/end/points", "/end/rounds"]),
        ({"end": {"points": 0, "when": "reached"}}, "bad_options", ["/end/points"]),
        ({"end": {"points": 66, "when": "soon"}}, "bad_options", ["/end/when"]),
        ({"end": 66}, "bad_options", ["/end"]),
        ({"pace": "lightning"}, "bad_options", ["/pace"]),
        ({"pace": {"turn_ms": 1, "row_ms": None}}, "bad_options", ["/pace/turn_ms"]),
        ({"pace": {"turn_ms": 60_000}}, "bad_options", ["/pace/row_ms"]),
        ({"recommit": "yes"}, "bad_options", ["/recommit"]),
        ({"visibility": "secret"}, "bad_options", ["/visibility"]),
        ({"seat_me": "yes"}, "invalid_request", ["/seat_me"]),
        ({"client_seed": "xyz"}, "client_seed_invalid", ["/client_seed"]),
        ({"client_seed": "a" * 65}, "client_seed_invalid", ["/client_seed"]),
        ({"client_seed": "aa", "seat_me": False}, "invalid_request", ["/client_seed"]),
        ({"jokers": True}, "invalid_request", ["/jokers"]),
    ],
)
def test_bad_options_are_refused_with_their_pointers(
    client: Any, player: MakePlayer, refused: Refused, change: dict[str, Any], code: str, pointers: list[str]
) -> None:
    headers = player()
    problem = refused(client.post("/v1/games", json={**TWO, **change}, headers=headers))
    assert (problem["code"], problem["status"]) == (code, 422)
    assert [error["pointer"] for error in problem["errors"]] == pointers
    assert client.get("/v1/games", headers=headers).json["items"] == []


def test_rule_set_and_seats_must_be_said(client: Any, player: MakePlayer, refused: Refused) -> None:
    problem = refused(client.post("/v1/games", json={}, headers=player()))
    assert {error["pointer"] for error in problem["errors"]} == {"/ruleset", "/seats"}


def test_a_creation_that_is_repeated_is_one_game(client: Any, player: MakePlayer) -> None:
    headers = {**player(), "Idempotency-Key": "k"}
    first, again = (client.post("/v1/games", json=TWO, headers=headers) for _ in range(2))
    assert (again.status_code, again.data) == (201, first.data)
    assert again.headers["Location"] == first.headers["Location"]
    assert len(client.get("/v1/games").json["items"]) == 1


def test_a_creation_that_died_half_way_is_one_game_when_repeated(
    client: Any, player: MakePlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    headers = {**player(), "Idempotency-Key": "k"}
    now = [0]
    kept = Idempotency(MemorySlots(), lambda: now[0])
    object.__setattr__(client.application.extensions["take5"], "idempotency", kept)
    monkeypatch.setattr(Idempotency, "finish", lambda *_: False)
    died = client.post("/v1/games", json=TWO, headers=headers)
    monkeypatch.undo()
    now[0] = 61_000
    repeated = client.post("/v1/games", json=TWO, headers=headers)
    assert "Idempotent-Replayed" not in repeated.headers
    assert repeated.data == died.data
    assert [item["id"] for item in client.get("/v1/games").json["items"]] == [died.json["id"]]


def test_the_join_code_is_for_the_host_and_the_seated_until_the_start(
    client: Any, player: MakePlayer
) -> None:
    table = seated(client)
    url = f"/v1/games/{table.game}"
    assert [client.get(url, headers=headers).json["join_code"] for headers in table.headers] == ["CODE"] * 2
    assert client.get(url, headers=player("Eve")).json["join_code"] is None
    assert client.get(url).json["join_code"] is None
    table.start()
    assert client.get(url, headers=table.headers[0]).json["join_code"] is None


def test_a_seat_is_shown_its_hand_and_the_public_none(client: Any) -> None:
    table = started(client, seats=3)
    table.lay(1)
    state = table.state()
    for seat, headers in enumerate(table.headers):
        shown = client.get("/v1/games/g_1", headers=headers).json
        assert GameSchema().load(shown) == shown
        assert (shown["you"], tuple(shown["hand"])) == (seat, state.hands[seat])
        assert shown["laid_card"] == (state.hands[1][0] if seat == 1 else None)
        assert [holder["laid"] for holder in shown["seats"]] == [False, True, False]
    public = client.get("/v1/games/g_1").json
    assert (public["you"], public["hand"], public["laid_card"]) == (None, [], None)


def test_every_state_of_a_game_is_documented(client: Any) -> None:
    table = started(client, seats=3, end={"rounds": 1})
    phases = set()
    for _ in table.steps():
        for headers in ({}, table.headers[0]):
            shown = client.get("/v1/games/g_1", headers=headers).json
            assert GameSchema().load(shown) == shown
            phases.add((shown["status"], shown["phase"]))
    assert {("playing", "lay_card"), ("playing", "choose_row"), ("finished", None)} <= phases
    assert any(place["winner"] for place in client.get("/v1/games/g_1").json["standings"])


def test_who_holds_the_newest_is_answered_304_until_something_happens(client: Any) -> None:
    table = started(client)
    first = client.get("/v1/games/g_1", headers=table.headers[0])
    held = {**table.headers[0], "If-None-Match": first.headers["ETag"]}
    again = client.get("/v1/games/g_1", headers=held)
    assert (again.status_code, again.data) == (304, b"")
    table.lay(1)
    changed = client.get("/v1/games/g_1", headers=held)
    assert changed.status_code == 200
    assert changed.headers["ETag"] != first.headers["ETag"]


def test_the_etag_is_the_sight_s_and_not_the_token_s(client: Any, player: MakePlayer) -> None:
    table = started(client)
    tokens = [client.post("/v1/me/tokens", json={}, headers=table.headers[0]).json["token"] for _ in range(2)]
    seat = {
        client.get("/v1/games/g_1", headers={"Authorization": f"Bearer {token}"}).headers["ETag"]
        for token in tokens
    }
    public = {client.get("/v1/games/g_1", headers=headers).headers["ETag"] for headers in ({}, player("Eve"))}
    assert (len(seat), len(public)) == (1, 1)
    assert seat != public


def test_a_held_answer_comes_with_the_next_card(
    client: Any, waiter: Callable[..., list[Any]], until: Callable[[Callable[[], bool]], None]
) -> None:
    table = started(client)
    first = client.get("/v1/games/g_1")
    places = table.services.config.max_waiting
    answers = waiter("/v1/games/g_1?wait=25", {"If-None-Match": first.headers["ETag"]})
    until(lambda: table.services.waiting._value < places)
    assert answers == []
    table.lay(1)
    until(lambda: bool(answers))
    assert [seat["laid"] for seat in answers[0].json["seats"]] == [False, True]


@pytest.mark.parametrize("options", [{"visibility": "private"}, {"spectators": False}])
def test_who_may_not_see_a_game_cannot_tell_it_from_none(
    client: Any, player: MakePlayer, refused: Refused, options: dict[str, Any]
) -> None:
    table = started(client, **options)
    eve = player("Eve")
    calls: list[tuple[str, str, Any]] = [
        ("GET", "", None),
        ("PATCH", "", {"seats": 3}),
        ("DELETE", "", None),
        ("POST", "/start", None),
        ("POST", "/seats", {}),
        ("PATCH", "/seats/me", {"ready": True}),
        ("DELETE", "/seats/me", None),
        ("POST", "/seats/1/bot", {"house": "random"}),
        ("DELETE", "/seats/9/bot", None),
        ("GET", "/decisions/r1.t1.s0.card", None),
        ("PUT", "/decisions/r1.t1.s0.card", {"card": 5}),
    ]
    for method, path, body in calls:
        problems = [
            refused(client.open(f"/v1/games/{game}{path}", method=method, json=body, headers=eve))
            for game in ("g_1", "g_2")
        ]
        assert {**problems[0], "request_id": ""} == {**problems[1], "request_id": ""}, (method, path)
        assert problems[0]["code"] == "game_not_found"
    for headers in table.headers:
        assert client.get("/v1/games/g_1", headers=headers).status_code == 200
    assert refused(client.get("/v1/games/g_1"))["code"] == "game_not_found"


def test_a_game_that_was_refused_leaves_nothing_behind(client: Any, player: MakePlayer) -> None:
    ada = player()
    body = {"ruleset": "classic", "seats": 3, "client_seed": "no"}
    assert client.post("/v1/games", json=body, headers=ada).status_code == 422
    assert client.get("/v1/me", headers=ada).json["active_games"] == []
