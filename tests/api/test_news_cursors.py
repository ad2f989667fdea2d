"""Cursors of a player's news: what is none is refused, and a forged one shows no more than one may see."""

from __future__ import annotations

import random
from typing import Any

import pytest

from service import cursors
from service.cursors import Cursor, NoCursor, read_cursor, write_cursor
from tests.api.kinds import Refused
from tests.api.played import seated
from tests.api.streamed import SSE
from tests.api.told_news import NEWS, pages


@pytest.mark.parametrize("cursor", ["", "x", "eAGLjgUAARUAuQ", "Aa1-", "٣", "a" * 3500])
def test_a_cursor_of_something_else_is_refused(client: Any, refused: Refused, cursor: str) -> None:
    headers = seated(client).headers[0]
    problem = refused(client.get(NEWS, headers=headers, query_string={"after": cursor}))
    assert (problem["code"], problem["errors"][0]["pointer"]) == ("invalid_cursor", "?after")
    if cursor.isascii() and cursor:
        held = {"Accept": SSE, "Last-Event-ID": cursor}
        problem = refused(client.get(NEWS, headers={**headers, **held}))
        assert (problem["code"], problem["errors"][0]["pointer"]) == ("invalid_cursor", "Last-Event-ID")


@pytest.mark.parametrize(
    "cursor",
    [
        Cursor(-1, {}),
        Cursor(0, {"g_1": (2**53, 0)}),
        Cursor(0, {"g_1": (1, -1)}),
        Cursor(0, {"g_1": (0, 0)}),
        Cursor(0, {"g_1": (0, 5)}),
        Cursor(True, {}),
        Cursor(0, {f"g_{number}": (1, 0) for number in range(101)}),
        Cursor(0, {"g" * 20_000: (1, 0)}),
        Cursor(0, {"g_1": (1, 0, 0)}),  # type: ignore[dict-item]  # forged: no cursor of ours has it
        Cursor(0, {1: (1, 0)}),  # type: ignore[dict-item]  # forged: no cursor of ours has it
    ],
)
def test_a_forged_cursor_is_none(cursor: Cursor) -> None:
    with pytest.raises(NoCursor):
        read_cursor(write_cursor(cursor))


def test_a_forged_cursor_shows_no_more_than_one_may_see(client: Any) -> None:
    hidden = seated(client, visibility="private")
    seated(client, game="g_2", spectators=False)
    stranger = client.post("/v1/players", json={"name": "Eve", "kind": "human"}).json
    headers = {"Authorization": f"Bearer {stranger['token']}"}
    forged = write_cursor(Cursor(0, {"g_1": (1, 0), "g_2": (1, 0), "g_3": (1, 0)}))
    told = pages(client, headers, forged)
    assert [(one.event, one.data) for one in told] == [
        ("left", {"game": game}) for game in ("g_1", "g_2", "g_3")
    ]
    assert hidden.state().status == "lobby"


def test_cursors_of_many_games_fit_into_a_header_and_an_address() -> None:
    chance = random.Random(1)
    letters = "abcdefghijklmnopqrstuvwxyz234567"
    games = {f"g_{''.join(chance.choices(letters, k=26))}": (chance.randrange(2000), 0) for _ in range(100)}
    cursor = Cursor(12345, games)
    assert len(write_cursor(cursor)) <= cursors._LONGEST
    assert read_cursor(write_cursor(cursor)) == cursor
