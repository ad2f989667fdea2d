"""Lists of games: whom a game is listed for, which ones fit, and page by page, newest first."""

from __future__ import annotations

import heapq
from collections.abc import Iterator
from typing import Any, Final

from engine import wire
from engine.options import Options
from engine.times import rfc3339
from service.auth import viewer
from service.services import current
from service.store.contract import STATUSES
from service.store.games import NoSuchGame
from service.tables import Table, table_by_code, table_for

Pair = tuple[int, str]
"""When a game was created, in milliseconds, and its id: lists are ordered by both, downwards."""

LOOKED_AT_MOST: Final = 200
"""How many games one request looks at: a search that finds little ends its page early, and goes on with the cursor."""


def games(wanted: dict[str, Any], before: Pair | None) -> tuple[list[Table], Pair | None]:
    """Return one page of the games that fit, and where the next one begins; None on the last.

    `wanted` are the arguments of `GamesQuery`.  Where a page ends never names a game that was not listed.
    """
    if "code" in wanted:
        table = table_by_code(wanted["code"])
        return ([table] if table is not None and _fits(table, wanted) else []), None
    found: list[Table] = []
    at, limit = before, wanted["limit"]
    for looked_at, pair in enumerate(_candidates(wanted, before, limit + 1)):
        if len(found) == limit:
            return found, at
        if looked_at >= LOOKED_AT_MOST and at is not None and pair[0] < at[0]:
            return found, (at[0], "")
        at = pair
        table = _table(pair[1])
        if table is not None and is_listed(table) and _fits(table, wanted):
            found.append(table)
    return found, None


def is_listed(table: Table) -> bool:
    """Return whether a list may show the game to the viewer: its own, and listed ones that it may watch or join."""
    game = table.live.game
    if table.was_seated or table.is_host or table.is_kept:
        return True
    return game.options.is_listed and (game.options.spectators or game.status == "lobby")


def summary(table: Table) -> dict[str, Any]:
    """Return a game in short."""
    game = table.live.game
    return {
        "id": game.id,
        "status": game.status,
        "host": game.host,
        "created_at": rfc3339(game.created_at),
        "options": wire.write(Options, game.options),
        "seats": [
            holder
            and {
                "seat": number,
                "player": holder.player,
                "name": holder.name,
                "kind": holder.kind,
                "level": holder.level,
                "owner": holder.owner and holder.owner._asdict(),
                "accepts_bots": holder.accepts_bots,
            }
            for number, holder in enumerate(game.seats)
        ],
        "open_seats": game.seats.count(None),
        "round": game.round,
        "turn": game.turn,
        "you": table.seat,
        "standings": [wire.write(type(place), place) for place in game.standings],
    }


def _candidates(wanted: dict[str, Any], before: Pair | None, batch: int) -> Iterator[Pair]:
    """Yield what the store's own lists offer, newest first, in batches."""
    services = current()
    statuses = [wanted["status"]] if "status" in wanted else STATUSES
    while True:
        if "player" in wanted:
            pairs = _of_player(wanted["player"], before, batch)
        else:
            offered = [pair for status in statuses for pair in services.games.listed(status, before, batch)]
            pairs = heapq.nlargest(batch, offered)
        yield from pairs
        if len(pairs) < batch:
            return
        before = pairs[-1]


def _of_player(player_id: str, before: Pair | None, batch: int) -> list[Pair]:
    """Return games of a player, newest first: for others those that are listed, and among their own.

    So how many the player has that are not for others does not even show in the time that the list takes.
    """
    players, asking = current().players, viewer()
    if asking is not None and asking.id == player_id:
        return players.games_of(player_id, batch, before)
    listed = players.games_of(player_id, batch, before, of="listed")
    own = players.games_of(asking.id, batch, before) if asking is not None else []
    return heapq.nlargest(batch, {*listed, *own})


def _table(game_id: str) -> Table | None:
    player = viewer()
    try:
        return table_for(current().play.entered(game_id, player.id if player else None, joining=True), player)
    except NoSuchGame:
        return None


def _fits(table: Table, wanted: dict[str, Any]) -> bool:
    game = table.live.game
    return (
        wanted.get("status", game.status) == game.status
        and wanted.get("ruleset", game.options.ruleset) == game.options.ruleset
        and wanted.get("open_seats", 0) <= game.seats.count(None)
        and ("player" not in wanted or wanted["player"] in {holder.player for holder in game.taken})
    )
