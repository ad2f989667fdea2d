"""Games as whoever asks may see them: the one place that says who may see which game."""

from __future__ import annotations

from dataclasses import dataclass

from engine.log import Live
from service.auth import viewer
from service.problems import Problem
from service.services import current
from service.store.play import NoSuchGame


@dataclass(frozen=True, slots=True)
class Table:
    """A game as it stands, and the seat that the viewer holds in it, if any."""

    live: Live
    seat: int | None

    @property
    def is_open(self) -> bool:
        """Whether everybody may watch: a private game, or one without spectators, is for those who sit at it."""
        options = self.live.game.options
        return options.visibility != "private" and options.spectators


def seen_table(game_id: str) -> Table:
    """Return the game of the current request, for whoever asks.

    Raises Problem `game_not_found` when there is none or the viewer may not see it, which looks the same, and Unavailable.
    """
    try:
        live = current().play.live(game_id)
    except NoSuchGame:
        raise Problem("game_not_found") from None
    player = viewer()
    table = Table(live, live.game.seat_of(player.id) if player else None)
    if table.seat is None and not table.is_open and not (player and player.id == live.game.host):
        raise Problem("game_not_found")
    return table
