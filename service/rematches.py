"""The next game of a table: one for each game, named after its master secret, whoever asks for it first."""

from __future__ import annotations

import hmac
from base64 import b32encode
from typing import Final

from engine.commands import CreateGame, JoinSeat, LobbyCommand, SeatBot
from engine.game import Game
from engine.log import Live
from service.services import current
from service.store.games import NoSuchGame
from service.store.players import Player

_PURPOSE: Final = b"take5/rematch"


def next_id(game_id: str) -> str:
    """Return the id of the game that follows on a game, whether it is there yet or not.  Raises NoSuchGame, Unavailable."""
    master = bytes.fromhex(current().play.secrets(game_id)["master"])
    return "g_" + b32encode(hmac.digest(master, _PURPOSE, "sha256")[:16]).decode().rstrip("=").lower()


def find(game_id: str) -> Live | None:
    """Return the game of this id, if it is there."""
    try:
        return current().play.live(game_id)
    except NoSuchGame:
        return None


def opening(game: Game, asker: Player, rematch: str) -> tuple[CreateGame, tuple[LobbyCommand, ...]]:
    """Return how the next game of a table begins: the asker, as its host, and the house bots sit where they sat.

    The seats of all others who held one are kept for them, also of those who gave theirs up.
    """
    seats = list(enumerate(game.seats))
    own, sat = next((seat, one) for seat, one in seats if one and one.player == asker.id)
    kept = tuple(holder.player if holder else None for _, holder in seats)
    bots = [
        SeatBot(asker.id, seat, holder.level)
        for seat, holder in seats
        if holder and holder.kind == "house" and holder.level
    ]
    wanted = CreateGame(rematch, asker.id, game.options, rematch_of=game.id, kept=kept)
    accepts = sat.accepts_bots or bool(bots)
    return wanted, (
        JoinSeat(asker.id, asker.name, asker.kind, own, accept_bots=accepts, owner=sat.owner),
        *bots,
    )
