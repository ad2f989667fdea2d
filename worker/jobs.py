"""The jobs that the service starts by name; each takes the id of a game and looks at what there is to do.

A job may come twice, late or not at all, and may die half-way: what a game still needs stands in the store's due times
until it is done, and the clock sends another job. So when the store is away a job ends, and nothing is lost.
"""

from __future__ import annotations

from collections.abc import Callable

import structlog

from service.store.connect import Unavailable
from worker import bots, connection, turns
from worker.connection import Connection

_log = structlog.get_logger(__name__)


def advance(game: str) -> None:
    """Do all that is due in a game, deadlines included; of a game that is over, note that for its players."""
    _attempt(_advance, game)


def play_bots(game: str) -> None:
    """Answer every decision that house bots owe in a game."""
    _attempt(_play_bots, game)


def _advance(at: Connection, game: str) -> None:
    state = turns.advance(at.play, game)
    if state.is_over:
        for holder in state.taken:
            if holder.player is not None:
                at.players.end_game(holder.player, game)


def _play_bots(at: Connection, game: str) -> None:
    bots.play_bots(at.play, game)


def _attempt(work: Callable[[Connection, str], None], game: str) -> None:
    try:
        work(connection.current(), game)
    except Unavailable as error:
        _log.warning("job_put_off", job=work.__name__.removeprefix("_"), game=game, reason=error.reason)
