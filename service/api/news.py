"""What a player is told over all games at once: in pages, as lines, or as a stream that goes on."""

from __future__ import annotations

from typing import Any

import orjson
from flask import Response

from service.api import replay_examples as examples
from service.auth import check_again, current_player, requires_player
from service.cursors import Cursor, NoCursor, read_cursor, write_cursor
from service.http.answers import Representation, answer, etag_of, represent
from service.http.blueprint import Blueprint
from service.http.streaming import (
    NDJSON,
    SSE,
    Batch,
    is_stream,
    last_event_id,
    negotiated,
    stream,
    write,
    written,
)
from service.news import GetLive, news, snapshot
from service.problems import FieldError, Place, Problem
from service.schemas import news as schemas
from service.schemas.base import PAGE_MOST
from service.services import current

blp = Blueprint("news", __name__, description="What you are told, over all your games.")


@blp.route("/v1/me/events")
@requires_player
@blp.arguments(schemas.NewsQuery, location="query")
@blp.response(200, schemas.NewsPageSchema, example=examples.NEWS_PAGE)
@blp.response(200, {"type": "string"}, content_type=NDJSON, example=examples.NEWS_LINE)
@blp.response(200, {"type": "string"}, content_type=SSE, example=examples.NEWS_STREAM)
@blp.refuses("invalid_cursor", "too_many_waiting")
@blp.leads_to("list_news", {"after": "$response.body#/next_after", "wait": "25"})
@blp.polled
@blp.streamed
def list_news(wanted: dict[str, Any]) -> Response:
    """Be told of your decisions as they open and close, and of all events of your games.

    Without a cursor the first message is a `snapshot`: your `games` and open `decisions`. What follows on a cursor is
    always the same, so you miss nothing and hear nothing twice, wherever the connection broke: go on with the `id` of the
    last message, as `Last-Event-ID` or `after`. A game that you enter is told from its first event on.

    `text/event-stream` stays open, and so does `application/x-ndjson` with `follow=true`. As JSON it is a page, held with
    `wait` until there is something. At most 100 games are followed at a time.
    """
    media_type = negotiated(wanted)
    if is_stream(wanted, media_type):
        live = current().followed.live
        return stream(lambda cursor: _batch(cursor, live, PAGE_MOST), _cursor(wanted), _key(), media_type)
    cursor = _cursor(wanted)
    response = answer(lambda: _page(cursor, wanted.get("limit", PAGE_MOST), media_type), wanted["wait"])
    response.vary.add("Accept")
    return response


def _key() -> str:
    return current_player().id


def _cursor(wanted: dict[str, Any]) -> Cursor | None:
    place: Place = "header"
    pointer, text = "Last-Event-ID", last_event_id()
    if text is None:
        place, pointer, text = "query", "?after", wanted.get("after")
    try:
        return None if text is None else read_cursor(text)
    except NoCursor:
        error = FieldError(place, pointer, "Not a cursor of your events.")
        raise Problem("invalid_cursor", errors=(error,)) from None


def _batch(cursor: Cursor | None, live: GetLive, most: int) -> Batch[Cursor | None]:
    check_again()
    player = current_player()
    return snapshot(player) if cursor is None else news(player, cursor, live, most)


def _page(cursor: Cursor | None, limit: int, media_type: str) -> Representation:
    found = _batch(cursor, current().play.entered, limit)
    watch = found.watch
    if media_type == NDJSON:
        body = write(found.messages, NDJSON)
        return Representation(body, etag_of(body), watch, bool(found.messages), NDJSON)
    items = b",".join(map(written, found.messages))
    after = orjson.dumps(write_cursor(found.cursor)) if found.cursor else b"null"
    body = b'{"items":[%b],"next_after":%b}' % (items, after)
    return represent(body, watch=watch, ready=bool(found.messages))
