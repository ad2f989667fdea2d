"""Headers of every request and answer: request ids, the service's clock, and what browsers of any origin need."""

from __future__ import annotations

import re
import secrets
from collections.abc import Iterable
from typing import TYPE_CHECKING, Any, Final

from flask import Response, current_app, g, request

from service.store.moments import now

if TYPE_CHECKING:
    from wsgiref.types import StartResponse, WSGIApplication, WSGIEnvironment

_SANE_ID: Final = re.compile(r"[A-Za-z0-9._~:+/=-]{1,64}")
_METHODS: Final = "GET, HEAD, POST, PUT, PATCH, DELETE, OPTIONS"
_ALLOWED: Final = (
    "Accept, Authorization, Content-Type, Idempotency-Key, If-None-Match, Last-Event-ID, X-Request-Id"
)
EXPOSED: Final = (
    "Allow, Content-Disposition, Deprecation, ETag, Idempotent-Replayed, Link, Location, RateLimit, RateLimit-Policy, "
    "Retry-After, Server-Time-Ms, Sunset, WWW-Authenticate, X-Request-Id"
)
"""The headers that a script in a browser may read."""

EVERY_ANSWER: Final = {
    "Access-Control-Allow-Origin": "*",
    "Access-Control-Expose-Headers": EXPOSED,
    "Cross-Origin-Resource-Policy": "cross-origin",
    "Referrer-Policy": "no-referrer",
    "X-Content-Type-Options": "nosniff",
    "X-Frame-Options": "DENY",
}
"""What every answer says, whatever it is about."""

NOTHING_RUNS: Final = "default-src 'none'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'"
"""The policy of what is no page: should a browser take it for one, it loads and runs nothing."""


_CONSTANT: Final = [*EVERY_ANSWER.items()]
_POLICY: Final = "Content-Security-Policy"


def with_constants(app: WSGIApplication) -> WSGIApplication:
    """Return `app` with `EVERY_ANSWER` in each answer, and `NOTHING_RUNS` where there is no other policy.

    They are put on all at once, outside of Flask, where setting each takes a microsecond that every poll would pay.
    """

    def answering(environ: WSGIEnvironment, start_response: StartResponse) -> Iterable[bytes]:
        def start(status: str, headers: list[tuple[str, str]], *rest: Any) -> Any:
            if not any(name == _POLICY for name, _ in headers):
                headers.append((_POLICY, NOTHING_RUNS))
            headers += _CONSTANT
            return start_response(status, headers, *rest)

        return app(environ, start)

    return answering


def new_request_id() -> str:
    """Return a random id for a request."""
    return secrets.token_hex(12)


def server_time_ms() -> str:
    """Return the service's clock as `Server-Time-Ms` has it."""
    return str(now())


def request_id() -> str:
    """Return the id of the current request: the client's own `X-Request-Id` where it is sane, else a random one."""
    known: str | None = g.get("request_id")
    if known is None:
        sent = request.headers.get("X-Request-Id", "")
        known = g.request_id = sent if _SANE_ID.fullmatch(sent) else new_request_id()
    return known


def answer_options() -> Response | None:
    """Return the answer to an OPTIONS request, or None for any other.

    A browser's preflight is granted at every address, so that its script gets to read the 404 or 405 that follows.
    """
    if request.method != "OPTIONS":
        return None
    if "Access-Control-Request-Method" not in request.headers:
        return current_app.make_default_options_response() if request.url_rule else None
    return Response(
        status=204,
        headers={
            "Access-Control-Allow-Methods": _METHODS,
            "Access-Control-Allow-Headers": _ALLOWED,
            "Access-Control-Max-Age": "7200",
        },
    )


def add_headers(response: Response) -> Response:
    """Return `response` with what every answer says of its request; what a view says about caching stays as it is."""
    headers = response.headers
    headers.add("X-Request-Id", request_id())
    headers.add("Server-Time-Ms", server_time_ms())
    if "Cache-Control" not in headers:
        headers["Cache-Control"] = "no-store"
    if response.status_code in {204, 304}:
        headers.remove("Content-Type")
    return response
