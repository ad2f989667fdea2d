"""The jobs that the service starts by name; each takes the id of a game and looks at what there is to do.

A job may come twice, late or not at all, and may die half-way: what a game still needs stands in the store's due times
until it is done, and the clock sends another job. So when the store is away a job ends, and nothing is lost.
"""

from __future__ import annotations

import time
from collections.abc import Callable

import structlog
from structlog.contextvars import bound_contextvars

from service.logs import described
from service.metrics import JOBS
from service.store.connect import Unavailable
from worker import bots, connection, turns
from worker.connection import Connection

_log = structlog.get_logger(__name__)


class JobFailed(Exception):
    """A job met what it cannot deal with; names the kind of the error and no more of it, for its words may hold cards."""


def advance(game: str) -> None:
    """Do all that is due in a game, deadlines included; note for whom it is over, or who has given a seat up."""
    _attempt("advance", _advance, game)


def play_bots(game: str) -> None:
    """Answer every decision that house bots owe in a game."""
    _attempt("play_bots", _play_bots, game)


def _advance(at: Connection, game: str) -> None:
    state = turns.advance(at.play, game)
    for holder in state.taken:
        if holder.player is not None and (state.is_over or holder.level is not None):
            at.players.end_game(holder.player, game)
            is_listed = state.options.is_listed
            at.players.list_game(holder.player, game, state.created_at, is_listed=is_listed)


def _play_bots(at: Connection, game: str) -> None:
    bots.play_bots(at.play, game)


def _attempt(name: str, work: Callable[[Connection, str], None], game: str) -> None:
    began_s = time.perf_counter()
    with bound_contextvars(job=name, game=game):
        try:
            work(connection.current(), game)
        except Unavailable as error:
            JOBS.labels(name, "put off").inc()
            _log.warning("job_put_off", reason=error.reason)
        except Exception as error:  # noqa: BLE001 - it is raised again, by its kind alone
            JOBS.labels(name, "failed").inc()
            _log.error("job_failed", **described(error))
            raise JobFailed(type(error).__name__) from None
        else:
            JOBS.labels(name, "done").inc()
            _log.info("job_done", ms=round(1000 * (time.perf_counter() - began_s), 3))
