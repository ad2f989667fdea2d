"""The games that a player sits in and that are not over: which they are, and that there are not too many."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from service.problems import Problem
from service.services import current
from service.store.moments import now
from service.store.play import NoSuchGame
from service.store.players import Player, TooManyGames
from service.tables import Table, note_left, table_for

_GAMES_AT_ONCE: Final = 100
_CREATED_WITHIN_MS: Final = 60_000


def note_seat(player: Player, game_id: str, created_ms: int) -> None:
    """Note that a player is about to take a seat.  Raises Problem `too_many_games` when that would be one too many."""
    services = current()
    most = services.config.games_per_player
    try:
        services.players.add_game(player.id, game_id, created_ms, most)
    except TooManyGames:
        for _ in active_tables(player):  # takes those off the list that are over after all
            pass
        try:
            services.players.add_game(player.id, game_id, created_ms, most)
        except TooManyGames:
            raise Problem(
                "too_many_games", f"You sit in {most} games that are not over, as many as a player may."
            ) from None


def active_tables(player: Player) -> Iterator[Table]:
    """Yield the tables at which the player sits; notes on the way which of the games are over, or never came."""
    services, before = current(), None
    while True:
        games = services.players.games_of(player.id, _GAMES_AT_ONCE, before, active=True)
        for created_ms, game_id in games:
            try:
                table = table_for(services.play.live(game_id), player)
            except NoSuchGame:  # about to be created, or given up half-way
                if now() - created_ms > _CREATED_WITHIN_MS:
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
