"""One way from any failure to its problem document, whoever raised it: a view, Flask, the rules, the store, a bug."""

from __future__ import annotations

from typing import Final

import orjson
import structlog
from flask import Flask, Response, g, request
from gunicorn.http.errors import ParseException
from werkzeug.exceptions import HTTPException

from engine.errors import Refusal
from service.codes import code_for_status
from service.http.headers import request_id
from service.logs import described
from service.problems import MEDIA_TYPE, Problem, from_refusal
from service.services import current
from service.store.connect import StoreFull, Unavailable
from service.store.games import NoSuchGame

_KEPT_HEADERS: Final = frozenset({"Allow", "Content-Range", "Retry-After", "WWW-Authenticate"})

log = structlog.get_logger()


def register(app: Flask) -> None:
    """Make `app` answer every exception with a problem document."""
    app.register_error_handler(Problem, answer_problem)
    app.register_error_handler(Refusal, lambda refusal: answer_problem(from_refusal(refusal)))
    app.register_error_handler(Unavailable, _answer_unavailable)
    app.register_error_handler(NoSuchGame, lambda _: answer_problem(Problem("game_not_found")))
    app.register_error_handler(HTTPException, _answer_http_exception)
    # A body is read by gunicorn while the view runs, and may turn out to be no HTTP.
    app.register_error_handler(ParseException, lambda _: answer_problem(Problem("bad_request")))
    app.register_error_handler(Exception, _answer_unexpected)


def answer_problem(problem: Problem) -> Response:
    """Return the answer that tells the client of `problem`."""
    g.problem_code = problem.code
    body = orjson.dumps(problem.document(request_id(), current().config.public_url))
    return Response(body, problem.status, headers=problem.response_headers(), content_type=MEDIA_TYPE)


def _answer_http_exception(error: HTTPException) -> Response:
    """Return the answer to what Flask and werkzeug raise: unknown routes, methods, sizes, redirects."""
    headers = {name: value for name, value in error.get_headers() if name in _KEPT_HEADERS}
    return answer_problem(Problem(code_for_status(error.code or 500), headers=headers))


def _answer_unavailable(error: Unavailable) -> Response:
    log.warning("store_unavailable", reason=error.reason, request_id=request_id())
    is_full = isinstance(error, StoreFull) and request.method not in ("GET", "HEAD")
    return answer_problem(
        Problem("store_full" if is_full else "unavailable", retry_after_ms=error.retry_after_ms)
    )


def _answer_unexpected(error: Exception) -> Response:
    """Answer a bug: the client learns nothing of it, the log where it was."""
    log_bug(error)
    return answer_problem(Problem("internal_error"))


def log_bug(error: Exception) -> None:
    """Tell the log the kind of an error and its places, not its words, for those may hold a card or a token."""
    route = request.url_rule and request.url_rule.rule
    log.error("request_failed", route=route, request_id=request_id(), **described(error))
