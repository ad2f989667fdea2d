"""Who takes a seat or leaves one: the list of a player's games agrees with the tables, however much happens at once.

A seat is noted in the player's list before it is taken, so that none is ever missed, and counted there. Of one player
only one seat is taken or left at a time, in whatever process: so what the list counts are seats, and seats that are just
being taken, of which there is one at most.
"""

from __future__ import annotations

import random
import secrets
import time
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from typing import Final

from engine.errors import Refusal
from engine.options import Options
from service.active import active_tables
from service.problems import Problem
from service.services import current
from service.store.connect import Unavailable
from service.store.players import Player, TooManyGames
from service.tables import note_left

PATIENCE_S: Final = 5.0
"""How long to wait until another seat of the same player is taken or left."""


@contextmanager
def taking_seat(player: Player, game_id: str, created_ms: int, options: Options) -> Iterator[None]:
    """Have the player's list agree with what is done in the block, which takes a seat or raises Refusal.

    `options` are those of the game.  Raises Problem `too_many_games`, or `bot_busy` for a bot that has promised not to play
    so many, and Unavailable.
    """
    with _alone(player.id):
        is_listed = options.is_listed
        _count(player, game_id, created_ms, is_listed=is_listed)
        try:
            yield
        except Refusal:
            note_left(game_id, player)
            raise
        players = current().players
        players.add_game(player.id, game_id, created_ms, is_listed=is_listed)  # again: see `note_left`


@contextmanager
def leaving_seat(player: Player, game_id: str) -> Iterator[None]:
    """Have the player's list agree with what is done in the block, which frees the player's seat or raises."""
    with _alone(player.id):
        yield
        note_left(game_id, player)


@contextmanager
def _alone(player_id: str) -> Iterator[None]:
    players, nonce = current().players, secrets.token_hex(8)
    give_up = time.monotonic() + PATIENCE_S
    while not players.begin_seat(player_id, nonce):
        if time.monotonic() > give_up:
            raise Unavailable("other seats of this player kept being taken")
        time.sleep(random.uniform(0.001, 0.005))  # noqa: S311  # spreads those who collided; no secret
    try:
        yield
    finally:
        with suppress(Unavailable):  # it lapses by itself, and what is done is done
            players.end_seat(player_id, nonce)


def _count(player: Player, game_id: str, created_ms: int, *, is_listed: bool) -> None:
    players, most = current().players, current().config.games_per_player
    try:
        players.add_game(player.id, game_id, created_ms, most, is_listed=is_listed)
    except TooManyGames:
        for _ in active_tables(player):  # takes those off the list that are over after all
            pass
        try:
            players.add_game(player.id, game_id, created_ms, most, is_listed=is_listed)
        except TooManyGames as reached:
            if reached.most < most:
                detail = f"The bot has promised to play {reached.most} games at a time, and does."
                raise Problem("bot_busy", detail) from None
            detail = f"You sit in {most} games that are not over, as many as a player may."
            raise Problem("too_many_games", detail) from None
