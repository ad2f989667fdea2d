"""The events of a game, as its log holds them: in pages, as lines to download, or as a stream that goes on."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import orjson
from flask import Response

from engine.events import GameSealed
from engine.log import Envelope, redact
from service.api import replay_examples as examples
from service.auth import accepts_player, check_again
from service.http.answers import Representation, answer, etag_of
from service.http.blueprint import Blueprint
from service.http.streaming import NDJSON, SSE, Batch, Message, is_stream, last_event_id, negotiated, stream
from service.problems import invalid
from service.schemas import events as schemas
from service.schemas.base import PAGE_MOST
from service.services import current
from service.shown import shown_game
from service.tables import Table, followed_table, seen_table
from service.told import told_end, told_events, watched

blp = Blueprint("events", __name__, description="Everything that happened in a game, in order.")

_LINE: Final = orjson.OPT_APPEND_NEWLINE | orjson.OPT_SORT_KEYS
"""Writes what the log holds, which has no floats, in the canonical form: as in the `events` file."""


@blp.route("/v1/games/<game_id>/events")
@accepts_player
@blp.arguments(schemas.EventsQuery, location="query")
@blp.response(200, schemas.EventPageSchema, examples=examples.EVENT_PAGES)
@blp.response(200, {"type": "string"}, content_type=NDJSON, example=examples.EVENT_LINE)
@blp.response(200, {"type": "string"}, content_type=SSE, example=examples.EVENT_STREAM)
@blp.refuses("game_not_found", "too_many_waiting")
@blp.leads_to(
    "list_events", {"game_id": "$request.path.game_id", "after": "$response.body#/next_after", "wait": "25"}
)
@blp.polled
@blp.streamed
def list_events(wanted: dict[str, Any], game_id: str) -> Response:
    """Show what happened in a game after an event that you hold, and go on with what comes if you like.

    Begin with `after=0`, go on with the `next_after` of each answer, and add `wait` to be told of what comes: nothing is
    missed, nothing comes twice. With `Accept: application/x-ndjson` the answer is an event a line, up to the newest.

    With `Accept: text/event-stream` the answer stays open: `id` is the `seq`, `event` the type, `data` the event. Come back
    with the last `id` as `Last-Event-ID` or `after`, and it goes on behind it; without either it begins with a `snapshot`,
    the game as you see it. After the game's last event comes `end`. `follow=true` does the same in lines, each an object of
    `id`, `event` and `data`; an empty one says that the stream is alive.

    Everybody gets the same events. What you may not know yet stands in them sealed, as a digest; a later event opens it
    for all, and from then on it is open here, too.
    """
    media_type = negotiated(wanted)
    if is_stream(wanted, media_type):
        held = last_event_id()
        after = wanted.get("after") if held is None else _seq(held)
        return stream(lambda cursor: _news(game_id, cursor), after, game_id, media_type)
    after, limit = wanted.get("after", 0), wanted.get("limit")
    response = answer(lambda: _events(seen_table(game_id), after, limit, media_type), wanted["wait"])
    response.vary.add("Accept")
    return response


def readable_events(table: Table, after: int = 0) -> list[Envelope]:
    """Return the events with a seq above `after`, to the newest, as the viewer of the table may read them now."""
    if table.live.game.seq <= after:
        return []
    return redact(current().play.log(table.live.game.id, after), table.seat)


def is_sealed(envelope: Envelope) -> bool:
    """Return whether nothing can follow on an event any more."""
    kind: str = envelope["type"]
    return kind == GameSealed.type


def as_lines(envelopes: Iterable[Any]) -> bytes:
    """Return JSON values as NDJSON: one a line."""
    return b"".join(orjson.dumps(envelope, option=_LINE) for envelope in envelopes)


def _events(table: Table, after: int, limit: int | None, media_type: str) -> Representation:
    found = readable_events(table, after)
    if media_type == NDJSON:
        shown = found[:limit]
        body = as_lines(shown)
    else:
        shown = found[: limit or PAGE_MOST]
        body = orjson.dumps({"items": shown, "next_after": _next_after(table, after, shown)})
    return Representation(
        body,
        etag_of(body),
        watch=frozenset({table.live.game.id}),
        ready=bool(shown) or _next_after(table, after, shown) is None,
        content_type=media_type,
    )


def _next_after(table: Table, after: int, shown: list[Envelope]) -> int | None:
    """Return where to go on after the events shown; None when nothing can follow any more."""
    if shown:
        return None if is_sealed(shown[-1]) else shown[-1]["seq"]
    return None if table.live.game.phase == "over" else after


def _seq(held: str) -> int:
    if not held.isascii() or not held.isdecimal() or len(held) > 16 or int(held) > schemas.SEQ_MOST:
        raise invalid("header", "Last-Event-ID", "Not the id of an event of this game.")
    return int(held)


def _news(game_id: str, after: int | None) -> Batch[int | None]:
    """Return what a stream of a game's events tells after `after`; first of all the game itself when that is None."""
    check_again()
    table = followed_table(game_id)
    game, end = table.live.game, [told_end(table)]
    is_over = game.phase == "over"
    if after is None:
        snapshot = Message(str(game.seq), "snapshot", shown_game(table).body)
        return Batch([snapshot, *end * is_over], game.seq, watched(table), is_last=is_over)
    found = told_events(table, after)
    shown = found[:PAGE_MOST]
    is_last = is_over and len(shown) == len(found)
    return Batch(
        [*shown, *end * (is_last and bool(shown))],
        int(shown[-1].id) if shown else after,
        watched(table),
        has_more=len(shown) < len(found),
        is_last=is_last,
    )
