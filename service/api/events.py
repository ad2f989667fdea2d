"""The events of a game, as its log holds them: in pages, or as lines to download."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any, Final

import orjson
from flask import Response, request

from engine.events import GameSealed
from engine.log import Envelope, redact
from service.api import replay_examples as examples
from service.auth import accepts_player
from service.http.answers import Representation, answer, etag_of
from service.http.blueprint import Blueprint
from service.problems import Problem
from service.schemas import events as schemas
from service.schemas.base import PAGE_MOST
from service.services import current
from service.tables import Table, seen_table

blp = Blueprint("events", __name__, description="Everything that happened in a game, in order.")

JSON: Final = "application/json"
NDJSON: Final = "application/x-ndjson"
_OFFERED: Final = (JSON, NDJSON)
_LINE: Final = orjson.OPT_APPEND_NEWLINE | orjson.OPT_SORT_KEYS
"""Writes what the log holds, which has no floats, in the canonical form: as in the `events` file."""


@blp.route("/v1/games/<game_id>/events")
@accepts_player
@blp.arguments(schemas.EventsQuery, location="query")
@blp.response(200, schemas.EventPageSchema, examples=examples.EVENT_PAGES)
@blp.response(200, {"type": "string"}, content_type=NDJSON, example=examples.EVENT_LINE)
@blp.refuses("game_not_found", "not_acceptable", "too_many_waiting")
@blp.leads_to(
    "list_events", {"game_id": "$request.path.game_id", "after": "$response.body#/next_after", "wait": "25"}
)
@blp.polled
def list_events(wanted: dict[str, Any], game_id: str) -> Response:
    """Show what happened in a game after an event that you hold.

    Begin with `after=0`, go on with the `next_after` of each answer, and add `wait` to be told of what comes: nothing is
    missed, nothing comes twice. With `Accept: application/x-ndjson` the answer is an event a line, up to the newest.

    Everybody gets the same events. What you may not know yet stands in them sealed, as a digest; a later event opens it
    for all, and from then on it is open here, too.
    """
    media_type = _negotiated()
    after, limit = wanted["after"], wanted.get("limit")
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


def _negotiated() -> str:
    """Return the media type that the client prefers among those offered; JSON where it does not say."""
    if not request.accept_mimetypes:
        return JSON
    media_type = request.accept_mimetypes.best_match(_OFFERED)
    if media_type is None:
        detail = (
            f"Events are offered as {' or '.join(_OFFERED)}; with `wait` you are told of new ones at once."
        )
        raise Problem("not_acceptable", detail, legal={"media_types": list(_OFFERED)})
    return media_type


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
