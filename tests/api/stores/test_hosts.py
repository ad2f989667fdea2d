"""What the host of a game may do: change its options, close it, start it."""

from typing import Any

import pytest

from tests.api.kinds import MakePlayer, Refused
from tests.api.played import seated
from tests.api.stores.opening import opened


def test_the_host_changes_options_and_nobody_else(client: Any, refused: Refused) -> None:
    table = seated(client, pace="untimed")
    client.patch("/v1/games/g_1/seats/me", json={"ready": True}, headers=table.headers[1])
    response = client.patch("/v1/games/g_1", json={"seats": 3, "pace": "slow"}, headers=table.headers[0])
    assert response.status_code == 200
    assert response.json["options"]["pace"]["name"] == "slow"
    assert [seat and seat["ready"] for seat in response.json["seats"]] == [False, False, None]
    problem = refused(client.patch("/v1/games/g_1", json={"seats": 4}, headers=table.headers[1]))
    assert (problem["code"], problem["status"]) == ("not_host", 403)


@pytest.mark.parametrize("pace", ["blitz", {"turn_ms": 5000, "row_ms": None}])
def test_options_that_are_not_mentioned_stay(client: Any, player: MakePlayer, pace: Any) -> None:
    headers = player()
    game = opened(client, headers, pace=pace, end={"rounds": 2}, recommit=True)
    changed = client.patch(f"/v1/games/{game['id']}", json={"seats": 4}, headers=headers).json
    assert changed["options"] == {**game["options"], "seats": 4}
    same = client.patch(f"/v1/games/{game['id']}", json={}, headers=headers).json
    assert same == changed


def test_another_rule_set_brings_its_own_end(client: Any, player: MakePlayer) -> None:
    headers = player()
    url = f"/v1/games/{opened(client, headers, end={'rounds': 2})['id']}"
    for change, end in (
        ({"ruleset": "classic"}, {"rounds": 2}),
        ({"ruleset": "category-5"}, {"points": 74, "when": "exceeded"}),
        ({"ruleset": "classic", "end": {"rounds": 4}}, {"rounds": 4}),
    ):
        changed = client.patch(url, json=change, headers=headers).json
        assert (changed["options"]["ruleset"], changed["options"]["end"]) == (change["ruleset"], end)


def test_changes_are_checked_as_options_are(client: Any, refused: Refused) -> None:
    table = seated(client, seats=3)
    for change, code, pointer in (
        ({"seats": 2}, "bad_options", "/seats"),
        ({"seats": 5.0}, "bad_options", "/seats"),
        ({"end": {"points": 1, "rounds": 1}}, "bad_options", "/end/points"),
        ({"seat_me": True}, "invalid_request", "/seat_me"),
    ):
        problem = refused(client.patch("/v1/games/g_1", json=change, headers=table.headers[0]))
        assert problem["code"] == code
        assert problem["errors"][0]["pointer"] == pointer


def test_a_closed_game_is_abandoned_and_nobody_s_active_game(client: Any, refused: Refused) -> None:
    table = seated(client)
    assert refused(client.delete("/v1/games/g_1", headers=table.headers[1]))["code"] == "not_host"
    assert client.delete("/v1/games/g_1", headers=table.headers[0]).status_code == 204
    assert client.get("/v1/games/g_1").json["status"] == "abandoned"
    for headers in table.headers:
        assert client.get("/v1/me", headers=headers).json["active_games"] == []


def test_the_host_starts_a_full_table_once(client: Any, refused: Refused) -> None:
    table = seated(client)
    assert refused(client.post("/v1/games/g_1/start", headers=table.headers[1]))["code"] == "not_host"
    response = client.post("/v1/games/g_1/start", headers=table.headers[0])
    assert (response.status_code, response.json["phase"], response.json["turn"]) == (200, "lay_card", 1)
    assert len(response.json["hand"]) == 10
    for call in (
        client.post("/v1/games/g_1/start", headers=table.headers[0]),
        client.patch("/v1/games/g_1", json={"seats": 3}, headers=table.headers[0]),
        client.delete("/v1/games/g_1", headers=table.headers[0]),
    ):
        assert refused(call)["code"] == "game_started"


def test_a_table_with_a_free_seat_does_not_start(client: Any, player: MakePlayer, refused: Refused) -> None:
    headers = player()
    url = f"/v1/games/{opened(client, headers)['id']}/start"
    assert refused(client.post(url, headers=headers))["code"] == "not_enough_players"
