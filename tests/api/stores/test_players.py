"""Players, their profile and their tokens: in memory and on a real server."""

from collections.abc import Callable
from threading import Thread
from typing import Any

from service.store.players import TOKENS_MAX
from tests.api.kinds import MakePlayer, Refused


def test_a_new_player_can_be_seen_with_the_token_it_got(client: Any) -> None:
    made = client.post("/v1/players", json={"name": "Ada", "kind": "bot"})
    assert made.status_code == 201
    assert made.headers["Location"] == "/v1/me"
    me = client.get("/v1/me", headers={"Authorization": f"Bearer {made.json['token']}"}).json
    assert me.items() >= made.json["player"].items()
    assert me["kind"] == "bot"
    assert me["active_games"] == []
    assert me["limits"] == client.get("/v1/limits").json


def test_the_scheme_of_a_token_may_be_written_in_any_case(client: Any, player: MakePlayer) -> None:
    headers = {"Authorization": player()["Authorization"].replace("Bearer", "bearer")}
    assert client.get("/v1/me", headers=headers).status_code == 200


def test_a_player_can_be_renamed_and_keeps_everything_else(client: Any, player: MakePlayer) -> None:
    headers = player("Ada")
    before = client.get("/v1/me", headers=headers)
    renamed = client.patch("/v1/me", json={"name": " Grace "}, headers=headers)
    assert renamed.json == before.json | {"name": "Grace"}
    after = client.get("/v1/me", headers={**headers, "If-None-Match": before.headers["ETag"]})
    assert after.status_code == 200
    assert after.json == renamed.json


def test_a_name_alone_can_be_changed(client: Any, player: MakePlayer, refused: Refused) -> None:
    problem = refused(client.patch("/v1/me", json={"name": "Ada", "kind": "bot"}, headers=player()))
    assert [error["pointer"] for error in problem["errors"]] == ["/kind"]


def test_active_games_are_listed_newest_first(client: Any, player: MakePlayer) -> None:
    headers = player()
    me = client.get("/v1/me", headers=headers).json
    players = client.application.extensions["take5"].players
    for number in range(102):
        players.add_game(me["id"], f"g_{number:03}", 1000 + number)
    me = client.get("/v1/me", headers=headers).json
    assert me["active_games"][:2] == ["g_101", "g_100"]
    assert len(me["active_games"]) == 100
    assert me["has_more_games"]


def test_a_token_can_be_replaced(client: Any, player: MakePlayer, refused: Refused) -> None:
    old = player()
    made = client.post("/v1/me/tokens", json={"name": "phone"}, headers=old)
    assert made.status_code == 201
    new = {"Authorization": f"Bearer {made.json['token']}"}
    listed = {token["name"]: token for token in client.get("/v1/me/tokens", headers=new).json["items"]}
    assert listed.keys() == {"first", "phone"}
    assert not any("token" in token for token in listed.values())
    assert made.headers["Location"] == f"/v1/me/tokens/{made.json['id']}"
    revoked = client.delete(f"/v1/me/tokens/{listed['first']['id']}", headers=new)
    assert (revoked.status_code, revoked.data) == (204, b"")
    assert "Content-Type" not in revoked.headers
    assert refused(client.get("/v1/me", headers=old))["code"] == "token_invalid"
    assert client.get("/v1/me", headers=new).status_code == 200


def test_the_last_token_stays(client: Any, player: MakePlayer, refused: Refused) -> None:
    headers = player()
    (only,) = client.get("/v1/me/tokens", headers=headers).json["items"]
    for query in ("", "?own=true"):
        answer = client.delete(f"/v1/me/tokens/{only['id']}{query}", headers=headers)
        assert refused(answer)["code"] == "last_token"
    assert client.get("/v1/me", headers=headers).status_code == 200


def test_a_token_ends_itself_only_when_told_twice(client: Any, player: MakePlayer, refused: Refused) -> None:
    headers = player()
    made = client.post("/v1/me/tokens", json={"name": "phone"}, headers=headers).json
    other = {"Authorization": f"Bearer {made['token']}"}
    listed = client.get("/v1/me/tokens", headers=headers).json["items"]
    (own,) = [token["id"] for token in listed if token["own"]]
    assert own != made["id"]
    assert refused(client.delete(f"/v1/me/tokens/{own}", headers=headers))["code"] == "own_token"
    assert client.get("/v1/me", headers=headers).status_code == 200
    assert client.delete(f"/v1/me/tokens/{own}?own=true", headers=headers).status_code == 204
    assert refused(client.get("/v1/me", headers=headers))["code"] == "token_invalid"
    assert client.get("/v1/me", headers=other).status_code == 200


def test_a_token_says_when_it_was_used_last(client: Any, player: MakePlayer) -> None:
    headers = player()
    made = client.post("/v1/me/tokens", json={"name": "phone"}, headers=headers).json
    assert made["last_used_at"] is None
    listed = {token["name"]: token for token in client.get("/v1/me/tokens", headers=headers).json["items"]}
    assert listed["first"]["last_used_at"].endswith(":00.000Z")
    assert listed["phone"] == {name: value for name, value in made.items() if name != "token"}


def test_a_held_answer_ends_with_its_token(
    client: Any, player: MakePlayer, refused: Refused, until: Callable[[Callable[[], bool]], None]
) -> None:
    headers = player()
    made = client.post("/v1/me/tokens", headers=headers).json
    other, answers = {"Authorization": f"Bearer {made['token']}"}, list[Any]()
    path = "/v1/me/decisions?wait=25"
    services = client.application.extensions["take5"]
    thread = Thread(target=lambda: answers.append(client.application.test_client().get(path, headers=other)))
    thread.start()
    until(lambda: services.waiting._value < services.config.max_waiting)
    client.delete(f"/v1/me/tokens/{made['id']}", headers=headers)
    thread.join(10)
    assert refused(answers[0])["code"] == "token_invalid"


def test_nobody_can_revoke_another_players_token(client: Any, player: MakePlayer, refused: Refused) -> None:
    ada, eve = player("Ada"), player("Eve")
    (hers,) = client.get("/v1/me/tokens", headers=ada).json["items"]
    assert refused(client.delete(f"/v1/me/tokens/{hers['id']}", headers=eve))["code"] == "token_not_found"
    assert client.get("/v1/me", headers=ada).status_code == 200


def test_there_is_an_end_to_tokens(client: Any, player: MakePlayer, refused: Refused) -> None:
    headers = player()
    for _ in range(TOKENS_MAX - 1):
        assert client.post("/v1/me/tokens", headers=headers).status_code == 201
    assert refused(client.post("/v1/me/tokens", headers=headers))["code"] == "too_many_tokens"


def test_tokens_come_in_pages_that_lose_none(client: Any, player: MakePlayer) -> None:
    headers = player()
    for number in range(6):
        client.post("/v1/me/tokens", json={"name": f"{number}"}, headers=headers)
    seen: list[str] = []
    path: str | None = "/v1/me/tokens?limit=3"
    while path:
        answer = client.get(path, headers=headers)
        seen += [token["name"] for token in answer.json["items"]]
        assert ("Link" in answer.headers) == (answer.json["next_cursor"] is not None)
        path = answer.headers["Link"].split(">")[0].lstrip("<") if "Link" in answer.headers else None
    assert sorted(seen) == sorted(["first", *"012345"])
