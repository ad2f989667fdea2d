"""The score sheet of a game: as JSON, as a table, and as one would write it beside the cards."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

import orjson
from flask import Response

from engine import wire
from engine.replay import steps
from engine.scores import COLUMNS, Sheet, as_csv, as_text, sheet
from service.api.replay_examples import SCORED
from service.auth import accepts_player
from service.http.answers import Representation, answer, etag_of
from service.http.blueprint import Blueprint
from service.http.negotiation import negotiated
from service.schemas import scores as schemas
from service.services import current
from service.tables import Table, seen_table

blp = Blueprint("scores", __name__, description="Who has captured what.")

_TYPES: Final = {"json": "application/json", "csv": "text/csv", "text": "text/plain"}
_SAID: Final = {"csv": "; charset=utf-8; header=present", "text": "; charset=utf-8"}
_WRITERS: Final[dict[str, Callable[[Sheet], bytes]]] = {
    "json": lambda made: orjson.dumps(wire.write(Sheet, made)),
    "csv": lambda made: as_csv(made).encode(),
    "text": lambda made: as_text(made).encode(),
}
_TABLE: Final = {"type": "string", "description": f"The columns: {', '.join(COLUMNS)}."}


@blp.route("/v1/games/<game_id>/scores")
@accepts_player
@blp.arguments(schemas.ScoresQuery, location="query")
@blp.response(200, schemas.SheetSchema, example=wire.write(Sheet, SCORED))
@blp.response(200, _TABLE, content_type=_TYPES["csv"] + _SAID["csv"], example=as_csv(SCORED))
@blp.response(200, {"type": "string"}, content_type=_TYPES["text"] + _SAID["text"], example=as_text(SCORED))
@blp.refuses("game_not_found", "not_acceptable", "too_many_waiting")
@blp.polled
def show_scores(wanted: dict[str, Any], game_id: str) -> Response:
    """Show what each seat captured in each round, what that counts, and the running totals.

    As JSON, as CSV with a line for each seat of each round, or as plain text. Rounds for learning and rounds that were dealt
    again are there, and marked, for they do not count.
    """
    written_as = wanted.get("format") or negotiated({kind: name for name, kind in _TYPES.items()})
    response = answer(lambda: _shown(seen_table(game_id), written_as), wanted["wait"])
    response.vary.add("Accept")
    return response


def _shown(table: Table, written_as: str) -> Representation:
    """Return the sheet, which is the same for everybody who may see the game."""
    live, kept = table.live, current().shown
    key = ("scores", live.game.id, written_as)
    found: Representation | None = kept.get(key, live.head)
    if found is None:
        body = _WRITERS[written_as](sheet(steps(current().play.log(live.game.id))))
        content_type = _TYPES[written_as] + _SAID.get(written_as, "")
        found = Representation(
            body, etag_of(body), frozenset({live.game.id}), ready=True, content_type=content_type
        )
        kept.put(key, live.head, found)
    return found
