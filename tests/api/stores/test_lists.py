"""Lists of games: newest first, page by page, and only what whoever asks may find."""

import itertools
from typing import Any

import pytest

from service import lists
from service.http.pages import read_cursor
from service.schemas.games import GamePageSchema
from tests.api.kinds import MakePlayer, Refused
from tests.api.played import finished, seated


def opened(client: Any, headers: dict[str, str], **options: Any) -> dict[str, Any]:
    """Open a table and return what its creator was told."""
    response = client.post("/v1/games", json={"ruleset": "classic", "seats": 2, **options}, headers=headers)
    assert response.status_code == 201, response.json
    game: dict[str, Any] = response.json
    return game


def ids(client: Any, query: str = "", headers: dict[str, str] | None = None) -> list[str]:
    """Return the ids of all listed games, page by page."""
    found: list[str] = []
    url = f"/v1/games?{query}"
    while True:
        page = client.get(url, headers=headers).json
        assert GamePageSchema().load(page) == page
        found += [item["id"] for item in page["items"]]
        if page["next_cursor"] is None:
            return found
        url = f"/v1/games?{query}&cursor={page['next_cursor']}"


def test_games_are_listed_newest_first_page_by_page(client: Any, player: MakePlayer) -> None:
    headers = player()
    made = {opened(client, headers)["id"] for _ in range(5)}
    assert {*ids(client, "limit=2")} == made
    assert ids(client, "limit=2") == ids(client)
    first = client.get("/v1/games?limit=5").json
    assert (len(first["items"]), first["next_cursor"]) == (5, None)
    moments = [item["created_at"] for item in first["items"]]
    assert moments == sorted(moments, reverse=True)


def test_filters_all_have_to_hold(client: Any, player: MakePlayer) -> None:
    ada, bob = player("Ada"), player("Bob")
    lobby = opened(client, ada)["id"]
    other = opened(client, bob, ruleset="category-5", seats=4)["id"]
    over = finished(client).game
    me = client.get("/v1/me", headers=ada).json["id"]
    assert {*ids(client, "status=lobby")} == {lobby, other}
    assert ids(client, "status=finished") == [over]
    assert ids(client, "status=abandoned") == []
    assert ids(client, "ruleset=category-5") == [other]
    assert ids(client, "open_seats=3") == [other]
    assert {*ids(client, "open_seats=1")} == {lobby, other}
    assert ids(client, f"player={me}") == [lobby]
    assert ids(client, f"player={me}&status=finished") == []
    assert ids(client, "player=p_nobody") == []
    (item,) = client.get("/v1/games?status=finished").json["items"]
    assert (item["open_seats"], item["status"], item["you"]) == (0, "finished", None)
    assert item["standings"] == client.get(f"/v1/games/{over}").json["standings"] != []


def test_me_is_whoever_asks(client: Any, player: MakePlayer, refused: Refused) -> None:
    ada, bob = player("Ada"), player("Bob")
    made = opened(client, ada, visibility="private")["id"]
    assert ids(client, "player=me", ada) == [made]
    assert ids(client, "player=me", bob) == []
    assert refused(client.get("/v1/games?player=me"))["code"] == "token_required"


@pytest.mark.parametrize(
    ("query", "pointer"),
    [
        ("status=running", "?status"),
        ("ruleset=poker", "?ruleset"),
        ("open_seats=-1", "?open_seats"),
        ("open_seats=x", "?open_seats"),
        ("limit=0", "?limit"),
        ("cursor=abc", "?cursor"),
    ],
)
def test_bad_filters_are_refused(client: Any, refused: Refused, query: str, pointer: str) -> None:
    problem = refused(client.get(f"/v1/games?{query}"))
    assert problem["errors"][0]["pointer"] == pointer


def test_only_listed_games_and_one_s_own_are_listed(client: Any, player: MakePlayer) -> None:
    ada, eve = player("Ada"), player("Eve")
    made = {
        visibility: opened(client, ada, visibility=visibility)["id"]
        for visibility in ("listed", "unlisted", "private")
    }
    hosted = opened(client, ada, visibility="private", seat_me=False)["id"]
    ada_id = client.get("/v1/me", headers=ada).json["id"]
    for headers in ({}, eve):
        assert ids(client, headers=headers) == [made["listed"]]
        assert ids(client, f"player={ada_id}", headers) == [made["listed"]]
    assert {*ids(client, headers=ada)} == {*made.values(), hosted}
    assert {*ids(client, f"player={ada_id}", ada)} == {*made.values()}


def test_a_game_without_spectators_is_listed_until_it_starts(client: Any) -> None:
    table = seated(client, spectators=False)
    assert ids(client) == ["g_1"]
    table.start()
    assert ids(client) == []
    assert ids(client, headers=table.headers[1]) == ["g_1"]


def test_a_long_search_goes_on_with_a_cursor_that_names_no_hidden_game(
    client: Any, player: MakePlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    ada, moments = player(), itertools.count(1_767_268_800_000)
    client.application.extensions["take5"].play.clock = lambda: next(moments)
    oldest = opened(client, ada)["id"]
    hidden = [opened(client, ada, visibility="private")["id"] for _ in range(6)]
    monkeypatch.setattr(lists, "LOOKED_AT_MOST", 2)
    cursors = []
    url = "/v1/games?limit=1"
    while True:
        page = client.get(url).json
        if page["next_cursor"] is None:
            break
        cursors.append(page["next_cursor"])
        url = f"/v1/games?limit=1&cursor={cursors[-1]}"
    assert [item["id"] for item in page["items"]] == [oldest]
    with client.application.test_request_context("/v1/games?limit=1"):
        ends = {read_cursor(cursor, int, str)[1] for cursor in cursors}  # type: ignore[index]  # a cursor was given
    assert ends == {""}
    assert len(cursors) == len(hidden) // 2


@pytest.mark.parametrize("visibility", ["listed", "unlisted", "private"])
def test_a_game_is_found_by_its_code_until_it_starts(
    client: Any, player: MakePlayer, visibility: str
) -> None:
    ada, bob = player("Ada"), player("Bob")
    game = opened(client, ada, visibility=visibility)
    code = game["join_code"]
    for headers in ({}, bob, ada):
        assert ids(client, f"code={code.lower()}", headers) == [game["id"]]
        assert ids(client, f"code={code}&open_seats=2", headers) == []
        assert ids(client, f"code={code[:-1]}", headers) == []
    taken = client.post(f"/v1/games/{game['id']}/seats", json={"code": code}, headers=bob)
    assert taken.status_code == 201
    client.post(f"/v1/games/{game['id']}/start", headers=ada)
    assert ids(client, f"code={code}", bob) == []


def test_games_of_another_player_are_those_that_are_listed_and_those_one_shares(
    client: Any, player: MakePlayer, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(lists, "LOOKED_AT_MOST", 2)
    ada, bob = player("Ada"), player("Bob")
    ada_id = client.get("/v1/me", headers=ada).json["id"]
    hidden = [opened(client, ada, visibility="unlisted") for _ in range(6)]
    assert client.get(f"/v1/games?player={ada_id}&limit=1").json == {"items": [], "next_cursor": None}
    client.post(f"/v1/games/{hidden[3]['id']}/seats", headers=bob)
    assert ids(client, f"player={ada_id}", bob) == [hidden[3]["id"]]
    assert {*ids(client, f"player={ada_id}", ada)} == {game["id"] for game in hidden}


def test_a_game_that_changes_its_visibility_changes_its_lists(client: Any, player: MakePlayer) -> None:
    ada = player("Ada")
    ada_id = client.get("/v1/me", headers=ada).json["id"]
    game = opened(client, ada, visibility="private")["id"]
    for visibility, listed in (("listed", [game]), ("unlisted", []), ("listed", [game]), ("private", [])):
        client.patch(f"/v1/games/{game}", json={"visibility": visibility}, headers=ada)
        assert ids(client, f"player={ada_id}") == ids(client) == listed
