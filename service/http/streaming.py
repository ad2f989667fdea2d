"""Answers that stay open: what is there already, then whatever comes, until the last of it or until somebody leaves."""

from __future__ import annotations

import random
import socket
import time
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from functools import partial
from typing import Any, Final, Generic, TypeVar

import orjson
from flask import Response, request, stream_with_context

from service import limiting
from service.auth import bearer_token
from service.http.errors import log_bug
from service.lines import Line
from service.problems import FieldError, Problem
from service.services import current
from service.store.connect import Unavailable
from service.store.players import token_id
from service.streams import Place, TooManyStreams

JSON: Final = "application/json"
NDJSON: Final = "application/x-ndjson"
SSE: Final = "text/event-stream"

KEEP_ALIVE_S: Final = 10.0
"""A stream is never silent for longer."""

LOOK_AGAIN_S: Final = 60.0
"""A stream reads again after this long even when no hint has arrived: hints may be lost, events must not be."""

SEND_WITHIN_S: Final = 10.0
"""A client that takes nothing in for so long is dropped; it can go on from its cursor."""

UNSENT_BYTES: Final = 64 * 1024
"""What the system keeps for a client that is slow; beyond it the stream waits, and reads nothing more."""

RETRY_MS: Final = 1000
"""When a browser comes back after its stream has ended."""

C = TypeVar("C")


@dataclass(frozen=True, slots=True)
class Message:
    """One thing that a stream tells: `id` is where to go on after it, `event` its kind, `data` JSON on one line."""

    id: str
    event: str
    data: bytes


@dataclass(frozen=True, slots=True)
class Batch(Generic[C]):
    """What a stream tells next, and from where it goes on.

    `watch` holds the keys whose wake-up may bring more; `has_more` says that more is there already, `is_last` that nothing
    can follow any more.
    """

    messages: list[Message]
    cursor: C
    watch: frozenset[str]
    has_more: bool = False
    is_last: bool = False


Read = Callable[[C], Batch[C]]
"""From where a stream stands to what it tells next; raises Problem when its viewer may not have it any more."""


def negotiated(wanted: Mapping[str, Any]) -> str:
    """Return the media type that the client prefers among those offered; JSON, or lines that go on, where it does not say.

    Raises Problem `not_acceptable`.
    """
    offered = (NDJSON, SSE) if wanted["follow"] == "true" else (JSON, NDJSON, SSE)
    if not request.accept_mimetypes:
        return offered[0]
    media_type = request.accept_mimetypes.best_match(offered)
    if media_type is None:
        detail = f"Here the answer is {', '.join(offered[:-1])} or {offered[-1]}."
        raise Problem("not_acceptable", detail, legal={"media_types": list(offered)})
    return media_type


def is_stream(wanted: Mapping[str, Any], media_type: str) -> bool:
    """Return whether the answer stays open; raises Problem for arguments that only an answer with an end can have."""
    if media_type != SSE and wanted["follow"] == "false":
        return False
    errors = [
        FieldError("query", f"?{name}", "Not for an answer that stays open.")
        for name in ("limit", "wait")
        if wanted.get(name)
    ]
    if errors:
        raise Problem("invalid_request", errors=tuple(errors))
    return True


def last_event_id() -> str | None:
    """Return where the client of the current request goes on, as EventSource says it; None where it does not."""
    return request.headers.get("Last-Event-ID") or None


def stream(read: Read[C], cursor: C, key: str, media_type: str) -> Response:
    """Return an answer that stays open and tells whatever `read` finds, from `cursor` on; `key` is what is read.

    What the first reading raises is the answer, and so is 204 when nothing can follow on the cursor. Raises Problem
    `too_many_streams` or `no_stream_free`. The stream ends by itself after the last message, when the viewer may not have
    more, when it is as old as streams get, and when the process ends; it outlives a store that is away.
    """
    limiting.count_as("streams")
    ticket = current().hub.ticket()
    first = read(cursor)
    if first.is_last and not first.messages:
        return Response(status=204)
    response = Response(content_type=f"{media_type}; charset=utf-8" if media_type == SSE else media_type)
    response.headers["Cache-Control"] = "no-store"
    response.headers["Vary"] = "Accept, Authorization"
    response.headers["X-Accel-Buffering"] = "no"  # a proxy that holds chunks back would make them late
    if request.method != "HEAD":
        place = _place()
        response.call_on_close(partial(current().streams.leave, place))
        told = _told(read, first, ticket, place, key)
        response.response = stream_with_context(_written(told, media_type))
    return response


def write(messages: Iterable[Message], media_type: str) -> bytes:
    """Return messages as they go over the wire: events of EventSource, or an object a line."""
    if media_type == SSE:
        return b"".join(
            b"id: %b\nevent: %b\ndata: %b\n\n" % (one.id.encode(), one.event.encode(), one.data)
            for one in messages
        )
    return b"".join(written(one) + b"\n" for one in messages)


def written(message: Message) -> bytes:
    """Return a message as a JSON object."""
    name, event = orjson.dumps(message.id), orjson.dumps(message.event)
    return b'{"id":%b,"event":%b,"data":%b}' % (name, event, message.data)


def _place() -> Place:
    services, token = current(), bearer_token()
    line = request.environ.get("gunicorn.socket")
    if isinstance(line, Line):
        line.settimeout(SEND_WITHIN_S)
        line.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, UNSENT_BYTES)
    try:
        return services.streams.enter(
            token_id(token) if token else None,
            limiting.address(),
            line.has_gone if isinstance(line, Line) else lambda: False,
        )
    except TooManyStreams as full:
        if full.limit == "all":
            raise Problem("no_stream_free", retry_after_ms=RETRY_MS) from None
        detail = f"Your {full.limit} holds as many streams as one may; end one first."
        raise Problem("too_many_streams", detail, retry_after_ms=RETRY_MS) from None


def _written(told: Iterator[list[Message]], media_type: str) -> Iterator[bytes]:
    """Yield what goes over the wire; something at once, so that the client knows that it is connected."""
    opening, silence = (b"retry: %d\n\n" % RETRY_MS, b":\n\n") if media_type == SSE else (b"\n", b"\n")
    yield opening
    for messages in told:
        yield write(messages, media_type) if messages else silence


def _told(read: Read[C], batch: Batch[C], ticket: int, place: Place, key: str) -> Iterator[list[Message]]:
    """Yield what there is to tell, in batches; an empty one when there was nothing for a while."""
    services = current()
    dies_s = time.monotonic() + services.config.stream_life_s
    look_again_s = LOOK_AGAIN_S
    while True:
        if batch.messages:
            yield batch.messages
        if batch.is_last:
            return
        if not batch.has_more:
            yield from _silence(batch.watch | {place.key}, ticket, look_again_s, dies_s)
            if place.is_lost or services.hub.is_closed or time.monotonic() >= dies_s:
                return
        ticket = services.hub.ticket()
        try:
            with services.followed.turn(key):
                batch, look_again_s = read(batch.cursor), LOOK_AGAIN_S
        except Unavailable as away:
            batch = Batch([], batch.cursor, batch.watch)
            look_again_s = away.retry_after_ms / 1000 * random.uniform(1, 2)  # noqa: S311  # as below
        except Problem:  # the token was revoked, or the game is hidden from the viewer now
            return
        except Exception as bug:  # noqa: BLE001  # its answer has begun, so nobody else could turn it into one
            log_bug(bug)
            return


def _silence(
    watch: frozenset[str], ticket: int, look_again_s: float, dies_s: float
) -> Iterator[list[Message]]:
    """Wait for a hint, an end, or until it is time to look again; now and then yield that there is nothing."""
    hub = current().hub
    until_s = min(time.monotonic() + look_again_s, dies_s)
    while (left_s := until_s - time.monotonic()) > 0:
        patience_s = KEEP_ALIVE_S * random.uniform(0.8, 1)  # noqa: S311  # spreads streams out; no secret
        if hub.wait(watch, ticket, min(patience_s, left_s)) or hub.is_closed:
            return
        yield []
