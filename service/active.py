"""The games that a player sits in and that are not over."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from service.services import current
from service.store.games import NoSuchGame
from service.store.moments import now
from service.store.players import BEGUN_MS, Player
from service.tables import Table, note_left, table_for

_GAMES_AT_ONCE: Final = 100


def active_tables(player: Player) -> Iterator[Table]:
    """Yield the tables at which the player sits; notes on the way which of the games are over, or never came."""
    services, before = current(), None
    while True:
        games = services.players.games_of(player.id, _GAMES_AT_ONCE, before, of="active")
        for created_ms, game_id in games:
            try:
                table = table_for(services.play.live(game_id), player)
            except NoSuchGame:  # about to be created, or given up half-way
                if now() - created_ms > BEGUN_MS:
                    note_left(game_id, player)
                continue
            if table.seat is not None and not table.live.game.is_over:
                yield table
            elif table.live.game.is_over or table.was_seated:
                services.players.end_game(player.id, game_id)
            else:  # about to sit down, or left
                note_left(game_id, player)
        if len(games) < _GAMES_AT_ONCE:
            return
        before = games[-1]
