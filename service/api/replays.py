"""What remains of a game: files to keep, and a check that it was played by the rules."""

from __future__ import annotations

from dataclasses import asdict
from typing import Any, Final

import orjson
from flask import Response

from engine.compact import compact
from engine.files import FileFormat, events_file, file_name
from engine.log import Envelope, redact
from engine.verify import verify_log
from service.api import replay_examples as examples
from service.api.events import is_sealed, readable_events
from service.api.placements import COLUMNS, placements_csv
from service.auth import accepts_player
from service.http.answers import Representation, answer, represent
from service.http.blueprint import Blueprint
from service.http.downloads import File, download
from service.http.streaming import JSON, NDJSON
from service.schemas import replays as schemas
from service.services import current
from service.tables import Table, seen_table

blp = Blueprint("replays", __name__, description="Games to keep, to check and to look at again.")

CSV: Final = "text/csv; charset=utf-8; header=present"
_TABLE: Final = {
    "type": "string",
    "description": "The columns: " + "; ".join(f"`{name}`, {what}" for name, what in COLUMNS.items()),
}
_TYPES: Final[dict[FileFormat, str]] = {"replay": JSON, "events": NDJSON, "csv": CSV}


@blp.route("/v1/games/<game_id>/replay")
@blp.counts_as("exports")
@accepts_player
@blp.arguments(schemas.ReplayQuery, location="query")
@blp.response(200, schemas.ReplaySchema, example=examples.REPLAY)
@blp.response(200, {"type": "string"}, content_type=NDJSON, example=examples.EVENTS_FILE)
@blp.response(200, _TABLE, content_type=CSV, example=examples.CSV)
@blp.refuses("game_not_found")
@blp.polled
def download_replay(wanted: dict[str, Any], game_id: str) -> Response:
    """Download a game as a file.

    `replay` is small: enough to rebuild every step. `events` is the whole log between a header and a trailer: `take5
    verify` proves with it alone, offline, that the deals had been fixed beforehand and the rules were kept. `csv` is a
    table with a line for each card that was placed.

    The file of a game that is over never changes, and is the same for everybody. That of a game that is played ends with
    the newest event, holds what you may know now, and has no ETag.
    """
    return download(_file(seen_table(game_id), wanted["format"]))


@blp.route("/v1/games/<game_id>/verification")
@blp.counts_as("exports")
@accepts_player
@blp.response(200, schemas.VerificationSchema, example=examples.VERIFICATION)
@blp.refuses("game_not_found")
@blp.polled
def verify_game(game_id: str) -> Response:
    """Check a game: the chain of its events, digests, commitments, the deals from their seeds, every move by the rules.

    What cannot be told before the game is over is `pending`. A service that checks itself proves little: download the
    `events` file and check it on a machine of your own.
    """
    return answer(lambda: _verification(seen_table(game_id)))


def _file(table: Table, kind: FileFormat) -> File:
    envelopes = readable_events(table)
    return File(
        file_name(table.live.game.id, kind),
        _TYPES[kind],
        _body(envelopes, kind),
        is_final=is_sealed(envelopes[-1]),
        is_open=table.is_open,
    )


def _body(envelopes: list[Envelope], kind: FileFormat) -> bytes:
    match kind:
        case "replay":
            return orjson.dumps(compact(envelopes))
        case "events":
            return b"".join(events_file(envelopes))
        case "csv":
            return placements_csv(envelopes)


def _verification(table: Table) -> Representation:
    """Return how the log stands as everybody may read it, so that the answer is the same for all."""
    live, kept = table.live, current().shown
    key = ("verification", live.game.id)
    found: Representation | None = kept.get(key, live.head)
    if found is None:
        found = represent(asdict(verify_log(redact(current().play.log(live.game.id), None))))
        kept.put(key, live.head, found)
    return found
