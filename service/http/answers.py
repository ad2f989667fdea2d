"""Answers to GET that can be polled: an ETag for every representation, 304 when nothing changed, `?wait` to hold."""

from __future__ import annotations

import hashlib
import time
from base64 import urlsafe_b64encode
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

import orjson
from flask import Response, request

from service.auth import check_again, viewer
from service.limiting import hold
from service.lines import Line
from service.metrics import HELD
from service.problems import Problem
from service.services import current

RECHECK_S: Final = 5.0
"""A held request looks again this often even when no hint arrives: hints may be lost, answers must not be."""

GLANCE_S: Final = 1.0
"""A held request looks this often whether its client is there yet: one that has gone must not keep a place from others."""


@dataclass(frozen=True, slots=True)
class Representation:
    """What a viewer would read now: the bytes, their ETag, and when it is worth reading again.

    `watch` holds the keys (game ids, player ids) whose wake-up may change it.  `ready` is False for an answer that a
    client that waits does not want yet, such as an empty list of decisions.  It depends on the viewer's rights only,
    never on the token, so it may be cached and shared.
    """

    body: bytes
    etag: str
    watch: frozenset[str]
    ready: bool
    content_type: str


def created(body: dict[str, Any], location: str) -> Response:
    """Return the answer that tells of something new, and where it is."""
    return Response(orjson.dumps(body), 201, headers={"Location": location}, content_type="application/json")


def represent(
    content: Any, *, watch: frozenset[str] | set[str] = frozenset(), ready: bool = True
) -> Representation:
    """Return `content` as JSON, whatever orjson can write (bytes are taken as JSON already)."""
    body = content if isinstance(content, bytes) else orjson.dumps(content)
    return Representation(body, etag_of(body), frozenset(watch), ready, "application/json")


def etag_of(body: bytes) -> str:
    """Return the strong ETag of `body`, without its quotes: 128 bits of its SHA-256."""
    return urlsafe_b64encode(hashlib.sha256(body).digest()[:16]).decode().rstrip("=")


def answer(read: Callable[[], Representation], wait_s: float = 0) -> Response:
    """Return the answer to a conditional GET, held for at most `wait_s` seconds until there is something to say.

    `read` builds the representation afresh (or from a cache) and may be called several times; what it raises is the
    answer.  The answer comes at once when the representation is `ready` and the client does not hold it already
    (`If-None-Match`); else when a wake-up has changed that; at the latest after `wait_s`, as 304 if the client still
    holds it, else as 200.  No wake-up is lost: the ticket is taken before the first reading.  Raises Problem
    `too_many_waiting` when a request would have to be held and too many are, `waiting_limited` when too many of its client
    are, `token_invalid` as soon as the token of one that is held is revoked.
    """
    services = current()
    wait_s = min(wait_s, services.config.wait_cap_s)
    if wait_s <= 0:
        return _respond(read())
    player = viewer()
    own = {player.id} if player else set()
    ticket = services.hub.ticket()
    found = read()
    if _is_news(found):
        return _respond(found)
    go_on = hold()
    if not services.waiting.acquire(blocking=False):
        go_on()
        raise Problem("too_many_waiting", retry_after_ms=1000)
    HELD.inc()
    try:
        now = time.monotonic()
        deadline, look_again = now + wait_s, now + RECHECK_S
        while not _is_news(found) and (now := time.monotonic()) < deadline:
            glance = min(deadline, now + GLANCE_S)
            is_hinted = services.hub.wait(found.watch | own, ticket, glance - now)
            if not is_hinted and (time.monotonic() < glance or _has_gone()):
                break  # the process is about to end and sends everybody home, or nobody is there any more
            if is_hinted or glance >= min(deadline, look_again):
                look_again = time.monotonic() + RECHECK_S
                ticket = services.hub.ticket()
                check_again()
                found = read()
    finally:
        services.waiting.release()
        HELD.dec()
        go_on()
    return _respond(found)


def _has_gone() -> bool:
    line = request.environ.get("gunicorn.socket")
    return isinstance(line, Line) and line.has_gone()


def _is_news(found: Representation) -> bool:
    return found.ready and not request.if_none_match.contains_weak(found.etag)


def _respond(found: Representation) -> Response:
    response = Response(found.body, content_type=found.content_type)
    response.headers["ETag"] = f'"{found.etag}"'
    response.headers["Cache-Control"] = "private, no-cache"
    response.headers["Vary"] = "Authorization"
    if request.if_none_match.contains_weak(found.etag):
        response.status_code = 304
        response.set_data(b"")
    return response
