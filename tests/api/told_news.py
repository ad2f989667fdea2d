"""A player's news, for tests: its pages, and more tables at which the same players sit."""

from __future__ import annotations

from typing import Any

from engine import commands as c
from engine.resolve import resolve
from tests.api.played import MASTER, Table
from tests.api.streamed import Told

NEWS = "/v1/me/events"


def page(client: Any, headers: dict[str, str], **query: Any) -> tuple[list[Told], str]:
    """Return one page of messages, and where the next one begins."""
    answer = client.get(NEWS, headers=headers, query_string=query)
    assert answer.status_code == 200, answer.text
    items = [Told(item["id"], item["event"], item["data"]) for item in answer.json["items"]]
    assert not items or items[-1].id == answer.json["next_after"]
    return items, answer.json["next_after"]


def pages(client: Any, headers: dict[str, str], after: str, limit: int = 100) -> list[Told]:
    """Return all messages that follow on a cursor, page by page."""
    found: list[Told] = []
    while True:
        items, after = page(client, headers, after=after, limit=limit)
        if not items:
            return found
        found += items


def at(client: Any, table: Table, game: str, **options: Any) -> Table:
    """Return another game at which the same players sit."""
    players = [client.get("/v1/me", headers=headers).json["id"] for headers in table.headers]
    other = Table(table.services, game, table.headers)
    options = {"ruleset": "classic", "seats": len(players), "pace": "untimed", **options}
    seats = [c.JoinSeat(player, f"Player {seat}", "human") for seat, player in enumerate(players)]
    for player in players:
        table.services.players.add_game(player, game, 0)
    table.services.play.create(
        c.CreateGame(game, players[0], resolve(options)),
        master=MASTER,
        join_code="CODE",
        then=(seats[0],),
    )
    for seat in seats[1:]:
        other.do(seat)
    return other
