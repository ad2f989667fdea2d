"""Repeating a creating request: one key, one effect, one answer; and never a token in the store."""

import re
import threading
import time
from collections.abc import Callable
from typing import Any

import orjson
import pytest
from flask import Flask, Response, request
from redis import Redis

from service.apidoc import note
from service.auth import accepts_player
from service.http.creation import claim, created_once
from service.problems import Problem
from service.services import Services
from service.store.connect import Unavailable
from service.store.idempotency import LEASE_MS, Idempotency
from service.store.slots import MemorySlots
from tests.api.applications import MakeApplication, fresh
from tests.api.kinds import MakePlayer, Refused

KEY = "qW3c0h5x1mZ8rTn2bYk6uA"
ADA = {"name": "Ada", "kind": "human"}


@pytest.fixture
def made() -> MakeApplication:
    return fresh


def test_the_same_request_gets_the_same_bytes_again(client: Any) -> None:
    first = client.post("/v1/players", json=ADA, headers={"Idempotency-Key": KEY})
    again = client.post("/v1/players", json=ADA, headers={"Idempotency-Key": KEY})
    assert (again.status_code, again.data) == (201, first.data)
    assert again.headers["Location"] == first.headers["Location"]
    assert again.headers["Content-Type"] == first.headers["Content-Type"]
    assert again.headers["Idempotent-Replayed"] == "true"
    assert "Idempotent-Replayed" not in first.headers
    headers = {"Authorization": f"Bearer {again.json['token']}"}
    assert client.get("/v1/me", headers=headers).json["id"] == first.json["player"]["id"]


def test_without_a_key_every_request_creates(client: Any) -> None:
    assert (
        client.post("/v1/players", json=ADA).json["token"]
        != client.post("/v1/players", json=ADA).json["token"]
    )


def test_another_body_or_route_with_the_same_key_is_a_mistake(
    client: Any, player: MakePlayer, refused: Refused
) -> None:
    headers = {**player(), "Idempotency-Key": KEY}
    client.post("/v1/me/tokens", json={"name": "a"}, headers=headers)
    response = client.post("/v1/me/tokens", json={"name": "b"}, headers=headers)
    assert refused(response)["code"] == "idempotency_key_reused"
    assert len(client.get("/v1/me/tokens", headers=headers).json["items"]) == 2


def test_a_refused_request_leaves_the_key_free(client: Any, refused: Refused) -> None:
    headers = {"Idempotency-Key": KEY}
    refused(client.post("/v1/players", json={"name": ""}, headers=headers))
    assert client.post("/v1/players", json=ADA, headers=headers).status_code == 201


def test_keys_are_each_players_own(client: Any, player: MakePlayer) -> None:
    made = [
        client.post(
            "/v1/me/tokens", json={"name": "a"}, headers={**player(name), "Idempotency-Key": KEY}
        ).json["token"]
        for name in ("Ada", "Eve")
    ]
    assert made[0] != made[1]


@pytest.mark.parametrize("key", ["short", "a" * 21])
def test_a_key_that_brings_back_a_token_must_not_be_guessable(
    client: Any, player: MakePlayer, refused: Refused, key: str
) -> None:
    for path, headers in (("/v1/players", {}), ("/v1/me/tokens", player())):
        response = client.post(
            path, json=ADA if path == "/v1/players" else {}, headers={**headers, "Idempotency-Key": key}
        )
        problem = refused(response)
        assert problem["code"] == "idempotency_key_invalid"
        assert problem["errors"][0]["in"] == "header"


def test_a_token_is_never_in_the_store(games_client: Redis, real_client: Any) -> None:
    made = real_client.post("/v1/players", json=ADA, headers={"Idempotency-Key": KEY})
    for key in games_client.scan_iter():
        for needle in (made.json["token"].encode(), KEY.encode()):
            assert needle not in key
            assert needle not in (games_client.dump(key) or b"")


def test_a_request_that_still_runs_is_not_begun_twice(
    services: Services, app: Flask, refused: Refused
) -> None:
    begun, go_on = threading.Event(), threading.Event()
    answers: list[Any] = []
    create = services.players.create

    def slowly(*args: Any) -> None:
        begun.set()
        go_on.wait(10)
        create(*args)

    object.__setattr__(services.players, "create", slowly)

    def first() -> None:
        answers.append(app.test_client().post("/v1/players", json=ADA, headers={"Idempotency-Key": KEY}))

    thread = threading.Thread(target=first)
    thread.start()
    assert begun.wait(10)
    second = app.test_client().post("/v1/players", json=ADA, headers={"Idempotency-Key": KEY})
    go_on.set()
    thread.join()
    assert refused(second)["code"] == "idempotency_key_running"
    assert second.headers["Retry-After"] == "1"
    assert answers[0].status_code == 201


def test_a_request_that_died_half_way_makes_the_same_player_when_repeated(
    services: Services, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    client = app.test_client()
    kept, now = MemorySlots(), [0]
    object.__setattr__(services, "idempotency", Idempotency(kept, lambda: now[0]))
    monkeypatch.setattr(Idempotency, "finish", lambda *_: False)
    died = client.post("/v1/players", json=ADA, headers={"Idempotency-Key": KEY})
    monkeypatch.undo()
    now[0] = LEASE_MS
    repeated = client.post("/v1/players", json=ADA, headers={"Idempotency-Key": KEY})
    assert "Idempotent-Replayed" not in repeated.headers
    assert repeated.data == died.data


@pytest.mark.parametrize("body", [{}, {"seat": 1}])
@pytest.mark.parametrize("died", ["killed", "store away"])
def test_who_got_a_seat_but_no_answer_gets_it_when_asking_again(
    client: Any, player: MakePlayer, monkeypatch: pytest.MonkeyPatch, died: str, body: dict[str, int]
) -> None:
    services: Services = client.application.extensions["take5"]
    ada, bob = player("Ada"), {**player("Bob"), "Idempotency-Key": KEY}
    made = client.post("/v1/games", json={"ruleset": "classic", "seats": 3}, headers=ada)
    seats = f"{made.headers['Location']}/seats"
    clock = [time.time_ns() // 1_000_000]
    monkeypatch.setattr(services.idempotency, "_clock", lambda: clock[0])
    with monkeypatch.context() as dying:
        if died == "killed":
            dying.setattr(services.idempotency, "finish", lambda *_: False)
        else:
            dying.setattr(services.players, "add_game", raise_second(services.players.add_game))
        client.post(seats, json=body, headers=bob)
    if died == "killed":
        assert client.post(seats, json=body, headers=bob).json["code"] == "idempotency_key_running"
        clock[0] += LEASE_MS
    assert client.post(seats, json={"seat": 2}, headers=bob).json["code"] == "idempotency_key_reused"
    taken = client.post(seats, json=body, headers=bob)
    assert (taken.status_code, taken.json["seat"]) == (201, 1)
    assert client.post(seats, json=body, headers=bob).headers["Idempotent-Replayed"] == "true"
    other = client.post(seats, json=body, headers={**bob, "Idempotency-Key": "other"})
    assert other.json["code"] == "already_seated"


def raise_second(function: Callable[..., None]) -> Callable[..., None]:
    """The function, but the store is away when it is called for the second time."""
    calls: list[Any] = []

    def called(*args: Any) -> None:
        calls.append(args)
        if len(calls) == 2:
            raise Unavailable("away")
        function(*args)

    return called


def test_a_bot_that_was_seated_without_an_answer_is_seated_once(
    client: Any, player: MakePlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    services: Services = client.application.extensions["take5"]
    ada = {**player("Ada"), "Idempotency-Key": KEY}
    body = {"ruleset": "classic", "seats": 3}
    made = client.post("/v1/games", json=body, headers={**ada, "Idempotency-Key": "first"})
    seat = f"{made.headers['Location']}/seats/2/bot"
    clock = [time.time_ns() // 1_000_000]
    monkeypatch.setattr(services.idempotency, "_clock", lambda: clock[0])
    with monkeypatch.context() as dying:
        dying.setattr(services.idempotency, "finish", lambda *_: False)
        client.post(seat, json={"house": "random"}, headers=ada)
    clock[0] += LEASE_MS
    again = client.post(seat, json={"house": "random"}, headers=ada)
    assert (again.status_code, again.json["seat"]) == (201, 2)
    other = {**ada, "Idempotency-Key": "other"}
    assert client.post(seat, json={"house": "random"}, headers=other).json["code"] == "seat_taken"


def test_what_is_done_is_answered_even_when_the_answer_cannot_be_kept(
    services: Services, app: Flask, monkeypatch: pytest.MonkeyPatch
) -> None:
    def away(*_: object) -> bool:
        raise Unavailable("the store is full")

    monkeypatch.setattr(services.idempotency, "finish", away)
    assert (
        app.test_client().post("/v1/players", json=ADA, headers={"Idempotency-Key": KEY}).status_code == 201
    )


def serve_things(app: Flask) -> list[str]:
    """Serve `POST /things`, which everybody may call and which refuses the name `bad`; return what was made."""
    made: list[str] = []

    @accepts_player
    @created_once
    def create_thing() -> Response:
        name = request.get_json()["name"]
        if name == "bad":
            raise Problem("conflict")
        claimed = claim()
        made.append(claimed.new_id("t_") if claimed else "t_by_chance")
        return Response(orjson.dumps({"id": made[-1]}), 201, content_type="application/json")

    note(create_thing, "arguments", {"parameters": [{"in": "json"}]})
    app.add_url_rule("/things", view_func=create_thing, methods=["POST"])
    return made


def test_a_refusal_within_a_creation_leaves_the_key_free_for_another_body(
    app: Flask, refused: Refused
) -> None:
    made, client = serve_things(app), app.test_client()
    assert (
        refused(client.post("/things", json={"name": "bad"}, headers={"Idempotency-Key": "k"}))["code"]
        == "conflict"
    )
    assert client.post("/things", json={"name": "good"}, headers={"Idempotency-Key": "k"}).status_code == 201
    assert len(made) == 1


def test_an_id_from_the_key_is_shaped_like_any_other_and_each_player_s_own(
    client: Any, player: MakePlayer
) -> None:
    made = serve_things(client.application)
    for headers in ({}, player("Ada"), player("Eve")):
        for _ in range(2):
            answer = client.post("/things", json={"name": "x"}, headers={**headers, "Idempotency-Key": "k"})
            assert answer.status_code == 201
    assert len({*made}) == len(made) == 3
    assert all(re.fullmatch(r"t_[a-z2-7]{26}", thing) for thing in made)


def test_without_a_key_there_is_nothing_to_derive_an_id_from(app: Flask) -> None:
    made = serve_things(app)
    assert app.test_client().post("/things", json={"name": "x"}).status_code == 201
    assert made == ["t_by_chance"]
