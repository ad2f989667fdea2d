"""Games as whoever asks may see them: the one place that says who may see which game."""

from __future__ import annotations

import hmac
from dataclasses import dataclass

from flask import g

from engine.audience import audience
from engine.events import SeatReplaced, SeatResigned
from engine.game import Game
from engine.log import Live
from service.auth import viewer
from service.problems import Problem
from service.services import current
from service.store.games import NoSuchGame
from service.store.play import Done
from service.store.players import Player


@dataclass(frozen=True, slots=True)
class Table:
    """A game as it stands, the seat that the viewer holds in it, if any, and whether the viewer is its host.

    `was_seated` is whether the viewer holds a seat, or held one when the game started; `is_kept` whether the game is a
    rematch in its lobby, to which the viewer may come from the game before.
    """

    live: Live
    seat: int | None
    is_host: bool = False
    was_seated: bool = False
    is_kept: bool = False

    @property
    def is_open(self) -> bool:
        """Whether everybody may watch."""
        return audience(self.live.game) is None

    @property
    def is_seen(self) -> bool:
        """Whether the viewer may see the game."""
        return self.is_open or self.is_host or self.was_seated or self.is_kept


def table_for(live: Live, player: Player | None) -> Table:
    """Return a game as the table that `player`, or a spectator, finds."""
    if player is None:
        return Table(live, None)
    game = live.game
    return Table(
        live,
        game.seat_of(player.id),
        is_host=player.id == game.host,
        was_seated=player.id in {holder.player for holder in game.taken},
        is_kept=game.status == "lobby" and player.id in game.kept,
    )


def seen_table(game_id: str) -> Table:
    """Return the game of the current request, for whoever asks.

    Raises Problem `game_not_found` when there is none or the viewer may not see it, and Unavailable.  The two cannot be told
    apart: the answer, what is asked of the store for it and the time that takes are the same.
    """
    return _entered(game_id)


def followed_table(game_id: str) -> Table:
    """Return the game as new as it was heard of, for a viewer who follows it; raises as `seen_table` does."""
    player = viewer()
    try:
        live = current().followed.live(game_id, player.id if player else None)
    except NoSuchGame:
        raise Problem("game_not_found") from None
    return _seen(table_for(live, player))


def joinable_table(game_id: str, code: str) -> Table:
    """Return the game of the current request for a player who wants a seat, with the join code that came along.

    A private game is found by who knows its code, one without spectators by everybody until it starts.
    Raises as `seen_table` does.
    """
    table = _entered(game_id, plain_code(code), joining=True)
    game = table.live.game
    if not table.is_seen and not (
        _is_code_of(game.id, plain_code(code))
        if game.options.visibility == "private"
        else game.status == "lobby"
    ):
        raise Problem("game_not_found")  # as in `_seen`
    return table


def table_by_code(code: str) -> Table | None:
    """Return the game that waits in its lobby for whoever has this join code; None for any other code."""
    player = viewer()
    try:
        return table_for(current().play.found(plain_code(code), player.id if player else None), player)
    except NoSuchGame:
        return None


def plain_code(code: str) -> str:
    """Return a join code as it was given out, from what somebody has typed."""
    return code.upper().replace("-", "").replace(" ", "")


def note_left(game_id: str, player: Player) -> None:
    """Take a game off the list of a player who has left it, or never had a seat there; of one who has, nothing changes.

    Who takes a seat notes the game before and after, so of a player who does both at once it stands in the list whenever
    the seat is taken.
    """
    players, game = current().players, _held(game_id, player)
    if game is None:
        players.drop_game(player.id, game_id)
        game = _held(game_id, player)
        if game is not None:
            is_listed = game.options.is_listed
            players.add_game(player.id, game_id, game.created_at, is_listed=is_listed)
    if game is not None and (game.is_over or game.seat_of(player.id) is None):
        players.end_game(player.id, game_id)


def note_visibility(game: Game) -> None:
    """Note for those who sit at a table whether others may find it among their games."""
    for holder in game.taken:
        if holder.player is not None:
            current().players.list_game(
                holder.player, game.id, game.created_at, is_listed=game.options.is_listed
            )


def note_ends(done: Done) -> None:
    """Take a game off the list of active games of those who have just given up a seat in it; of all, once it is over."""
    game, kinds = done.live.game, {envelope["type"] for envelope in done.envelopes}
    if not game.is_over and kinds.isdisjoint({SeatReplaced.type, SeatResigned.type}):
        return
    for holder in game.taken:
        if holder.player is not None and (game.is_over or holder.level is not None):
            current().players.end_game(holder.player, game.id)


def _held(game_id: str, player: Player) -> Game | None:
    """Return the game if the player holds a seat in it, or has given one up."""
    try:
        table = table_for(current().play.live(game_id), player)
    except NoSuchGame:
        return None
    return table.live.game if table.was_seated else None


def _is_code_of(game_id: str, code: str) -> bool:
    """Return whether `code` is the join code of a game."""
    return hmac.compare_digest(current().play.secrets(game_id)["join_code"].encode(), code.encode())


def _entered(game_id: str, code: str = "", *, joining: bool = False) -> Table:
    player = viewer()
    try:
        live = current().play.entered(game_id, player.id if player else None, code, joining=joining)
    except NoSuchGame:
        raise Problem("game_not_found") from None
    table = table_for(live, player)
    return table if joining else _seen(table)


def _seen(table: Table) -> Table:
    """Return a table that was let in, and that the viewer sees: a game from before there were doors lets everybody in."""
    if not table.is_seen:
        raise Problem("game_not_found")
    g.seat = table.seat  # for the log
    return table
