"""One line of log a request: what was asked, how it ended, how long it took; never a token, a card or a body."""

from __future__ import annotations

import logging
import time

import structlog
from flask import Response, g, request

from service.auth import viewer
from service.http.headers import request_id

log = structlog.get_logger("take5.http")


def start_clock() -> None:
    """Remember when the current request began."""
    g.started_ns = time.perf_counter_ns()


def log_request(response: Response) -> Response:
    """Write the line of the current request and return `response` as it is.

    The route is logged as its pattern, so no id of a game stands in the log, and no argument.
    """
    if not log.is_enabled_for(logging.INFO):
        return response
    player = viewer()
    log.info(
        "request",
        method=request.method,
        route=request.url_rule.rule if request.url_rule else None,
        status=response.status_code,
        code=g.get("problem_code"),
        ms=(time.perf_counter_ns() - g.started_ns) // 1000 / 1000,
        player=player.id if player else None,
        request_id=request_id(),
    )
    return response
