"""Bots: whose they are, what they have promised, who may seat them, and how everybody sees it; in memory and on a server."""

from typing import Any

from service.schemas.bots import BotPageSchema
from service.schemas.players import BotSchema, CreatedBotSchema
from service.store.players import BOTS_MAX
from tests.api.kinds import MakePlayer, Refused
from tests.api.stores.inviting import invite, made, opened

KEY = "qW3c0h5x1mZ8rTn2bYk6uA"


def test_a_bot_is_a_player_that_says_whose_it_is(client: Any, ada: dict[str, str]) -> None:
    answer = client.post("/v1/me/bots", json={"name": "Max", "max_concurrent": 3}, headers=ada)
    assert answer.status_code == 201
    assert CreatedBotSchema().load(answer.json) == answer.json
    bot = answer.json["player"]
    owner = {"player": client.get("/v1/me", headers=ada).json["id"], "name": "Ada"}
    assert (bot["kind"], bot["owner"], bot["max_concurrent"], bot["invitations"]) == (
        "bot",
        owner,
        3,
        "owner",
    )
    me = client.get("/v1/me", headers={"Authorization": f"Bearer {answer.json['token']}"}).json
    assert me.items() >= bot.items()
    assert client.get("/v1/me", headers=ada).json["owner"] is None
    shown = client.get(answer.headers["Location"], headers=ada).json
    assert BotSchema().load(shown) == shown == bot


def test_a_bot_that_signs_up_by_itself_is_nobody_s(client: Any, player: MakePlayer) -> None:
    me = client.get("/v1/me", headers=player("Max", "bot")).json
    assert (me["kind"], me["owner"], me["max_concurrent"]) == ("bot", None, None)


def test_bots_own_nothing(client: Any, ada: dict[str, str], player: MakePlayer, refused: Refused) -> None:
    for headers in (made(client, ada)[1], player("Max", "bot")):
        problem = refused(client.post("/v1/me/bots", json={"name": "Mini"}, headers=headers))
        assert (problem["code"], problem["status"]) == ("bots_own_nothing", 403)


def test_there_is_an_end_to_bots_until_one_is_given_up(
    client: Any, ada: dict[str, str], refused: Refused
) -> None:
    bots = [made(client, ada, name=f"{number}")[0] for number in range(BOTS_MAX)]
    problem = refused(client.post("/v1/me/bots", json={"name": "one more"}, headers=ada))
    assert (problem["code"], problem["status"]) == ("too_many_bots", 409)
    assert client.get("/v1/me", headers=ada).json["bots_most"] == BOTS_MAX
    assert client.delete(f"/v1/me/bots/{bots[0]}", headers=ada).status_code == 204
    made(client, ada)


def test_bots_come_in_pages_that_lose_none(client: Any, ada: dict[str, str]) -> None:
    bots = {made(client, ada)[0] for _ in range(5)}
    seen, path = set[str](), "/v1/me/bots?limit=2"
    while path:
        answer = client.get(path, headers=ada)
        assert BotPageSchema().load(answer.json) == answer.json
        seen |= {bot["id"] for bot in answer.json["items"]}
        path = answer.headers["Link"].split(">")[0].lstrip("<") if "Link" in answer.headers else ""
    assert seen == bots


def test_a_creation_that_is_repeated_is_one_bot(client: Any, ada: dict[str, str]) -> None:
    headers = {**ada, "Idempotency-Key": KEY}
    first, again = (client.post("/v1/me/bots", json={"name": "Max"}, headers=headers) for _ in range(2))
    assert (again.status_code, again.data) == (201, first.data)
    assert len(client.get("/v1/me/bots", headers=ada).json["items"]) == 1


def test_an_owner_changes_what_is_said_and_nothing_else(client: Any, ada: dict[str, str]) -> None:
    bot, _ = made(client, ada)
    before = client.get(f"/v1/me/bots/{bot}", headers=ada).json
    for change in ({"name": "Moritz"}, {"max_concurrent": 1}, {"invitations": "anyone"}, {}):
        changed = client.patch(f"/v1/me/bots/{bot}", json=change, headers=ada)
        before |= change
        assert changed.json == before == client.get(f"/v1/me/bots/{bot}", headers=ada).json


def test_an_owner_replaces_every_token_of_a_bot(client: Any, ada: dict[str, str], refused: Refused) -> None:
    bot, old = made(client, ada)
    tokens = f"/v1/me/bots/{bot}/tokens"
    (first,) = client.get(tokens, headers=ada).json["items"]
    assert client.delete(f"{tokens}/{first['id']}", headers=ada).status_code == 204
    assert refused(client.get("/v1/me", headers=old))["code"] == "token_invalid"
    assert refused(client.delete(f"{tokens}/{first['id']}", headers=ada))["code"] == "token_not_found"
    answer = client.post(tokens, json={"name": "anew"}, headers=ada)
    assert answer.headers["Location"] == f"{tokens}/{answer.json['id']}"
    new = {"Authorization": f"Bearer {answer.json['token']}"}
    assert client.get("/v1/me", headers=new).json["id"] == bot
    assert [token["name"] for token in client.get(tokens, headers=ada).json["items"]] == ["anew"]


def test_a_bot_that_was_given_up_is_nobody(
    client: Any, ada: dict[str, str], refused: Refused, player: MakePlayer
) -> None:
    bot, headers = made(client, ada, invitations="anyone")
    assert client.delete(f"/v1/me/bots/{bot}", headers=ada).status_code == 204
    assert refused(client.get("/v1/me", headers=headers))["code"] == "token_invalid"
    assert refused(client.get(f"/v1/me/bots/{bot}", headers=ada))["code"] == "bot_not_found"
    assert client.get("/v1/me/bots", headers=ada).json["items"] == []
    assert refused(invite(client, ada, opened(client, ada), bot))["code"] == "bot_unknown"


def test_a_bot_is_its_owner_s_alone(client: Any, ada: dict[str, str], player: MakePlayer) -> None:
    bot, headers = made(client, ada)
    hers = client.get("/v1/me", headers=ada).json["id"]
    calls: list[tuple[str, str, Any]] = [
        ("GET", "", None),
        ("PATCH", "", {"name": "mine"}),
        ("DELETE", "", None),
        ("GET", "/tokens", None),
        ("POST", "/tokens", {}),
        ("DELETE", "/tokens/k_1", None),
    ]
    for who in (player("Eve"), headers):
        for method, path, body in calls:
            told = [
                client.open(f"/v1/me/bots/{each}{path}", method=method, json=body, headers=who).json
                for each in (bot, hers, "p_none")
            ]
            assert {each.pop("request_id") for each in told}
            assert told[0] == told[1] == told[2]
            assert told[0]["code"] == "bot_not_found"
    assert client.get("/v1/me", headers=headers).status_code == 200
