"""Every step of a game to look at again, as one of those who were there."""

from __future__ import annotations

from typing import Any
from urllib.parse import quote, urlencode

from flask import Response, request

from engine.replay import Viewer, frames, steps
from service.api import replay_examples as examples
from service.auth import accepts_player
from service.http.answers import answer, represent
from service.http.blueprint import Blueprint
from service.problems import FieldError, Problem, invalid
from service.schemas import replays as schemas
from service.services import current, link
from service.tables import Table, seen_table

blp = Blueprint("frames", __name__, description="Games to look at step by step.")


@blp.route("/v1/games/<game_id>/frames")
@blp.counts_as("exports")
@accepts_player
@blp.arguments(schemas.FramesQuery, location="query")
@blp.response(200, schemas.FramePageSchema, example=examples.FRAME_PAGE)
@blp.refuses("game_not_found", "game_not_over", "not_seated", "other_seat", "seat_out_of_range")
@blp.leads_to("list_frames", {"game_id": "$request.path.game_id", "from": "$response.body#/next_from"})
@blp.polled
def list_frames(wanted: dict[str, Any], game_id: str) -> Response:
    """Show a game after each of its events, as a viewer saw it then.

    While the game is played you may look as the seat that you hold, or as the public; once it is over as anybody, or with
    every hand open.
    """
    table = seen_table(game_id)
    viewer = _viewer(table, wanted.get("as"))
    first, newest = wanted["from"], table.live.game.seq
    last = min(wanted.get("to", newest), newest)
    if wanted.get("to", first) < first:
        raise invalid("query", "?to", "Comes before `from`.")
    end = min(last, first + wanted["limit"] - 1)
    items = list(frames(steps(current().play.log(game_id)), viewer, first, end)) if first <= end else []
    next_from = end + 1 if first <= end < last else None
    response = answer(lambda: represent({"items": items, "next_from": next_from}))
    if next_from is not None:
        query = urlencode(request.args.to_dict() | {"from": next_from})
        response.headers["Link"] = f'<{link(quote(request.path))}?{query}>; rel="next"'
    return response


def _viewer(table: Table, asked: str | None) -> Viewer:
    """Return as whom the game is shown; raises Problem for what this viewer may not see, or not yet."""
    is_over = table.live.game.phase == "over"
    match asked:
        case None:
            return "public" if table.seat is None else table.seat
        case "public":
            return "public"
        case "seat":
            if table.seat is None:
                raise Problem("not_seated")
            return table.seat
        case "all":
            if not is_over:
                raise Problem("game_not_over")
            return "all"
        case _:
            seat, seats = int(asked), len(table.live.game.seats)
            if seat >= seats:
                error = FieldError("query", "?as", f"Seats are numbered 0 to {seats - 1}.")
                raise Problem("seat_out_of_range", errors=(error,))
            if not is_over and seat != table.seat:
                raise Problem("other_seat")
            return seat
