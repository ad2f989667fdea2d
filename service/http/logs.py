"""One line of log a request, and its figures: what was asked, how it ended, how long it took.

Never a token, a card, a code, an argument or a body. Whatever else is logged meanwhile carries the ids of the request.
"""

from __future__ import annotations

import logging
import re
import time
from typing import Final

import structlog
from flask import Response, g, request
from structlog.contextvars import bind_contextvars, clear_contextvars

from service.auth import viewer
from service.http.headers import request_id
from service.metrics import REQUEST_SECONDS, REQUESTS

log = structlog.get_logger("take5.http")

_GAME: Final = re.compile(r"g_[a-z0-9_]{1,40}")
_METHODS: Final = frozenset({"GET", "HEAD", "POST", "PUT", "PATCH", "DELETE", "OPTIONS"})
"""Others are counted as one: a client can make up as many as it likes, and each would be a figure of its own for ever."""


def start_clock() -> None:
    """Remember when the current request began, and whose lines of log are its own."""
    g.started_ns = time.perf_counter_ns()
    clear_contextvars()
    bind_contextvars(request_id=request_id())
    game = (request.view_args or {}).get("game_id", "")
    if _GAME.fullmatch(game):
        bind_contextvars(game=game)


def forget(_: BaseException | None = None) -> None:
    """Take the ids of the current request off what its thread logs next, which may be about another connection."""
    clear_contextvars()


def log_request(response: Response) -> Response:
    """Write the line of the current request, count it, and return `response` as it is."""
    seconds = (time.perf_counter_ns() - g.started_ns) / 1e9
    route = request.url_rule.rule if request.url_rule else "none"
    method = request.method if request.method in _METHODS else "other"
    REQUESTS.labels(method, route, response.status_code).inc()
    if "wait" not in request.args:
        REQUEST_SECONDS.labels(route).observe(seconds)
    if log.is_enabled_for(logging.INFO):
        player = viewer()
        log.info(
            "request",
            method=request.method,
            route=route,
            status=response.status_code,
            code=g.get("problem_code"),
            ms=round(1000 * seconds, 3),
            player=player.id if player else None,
            seat=g.get("seat"),
            request_id=request_id(),
        )
    return response
