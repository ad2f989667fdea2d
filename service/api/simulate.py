"""One turn as a pure function, for whoever writes a bot or checks a rule."""

from __future__ import annotations

from typing import Any

import orjson
from flask import Response

from engine.rulesets import ruleset
from engine.simulate import simulate
from service.http.blueprint import Blueprint
from service.schemas import simulate as schemas

blp = Blueprint("simulate", __name__, description="What would happen: the placing rule on its own.")


@blp.route("/v1/simulate", methods=["POST"])
@blp.counts_as("reading")
@blp.arguments(schemas.PositionSchema, examples=schemas.REQUEST_EXAMPLES)
@blp.response(200, schemas.SimulationSchema, examples=schemas.ANSWER_EXAMPLES)
@blp.refuses(
    "mode_not_legal",
    "no_row_choice",
    "position_impossible",
    "row_out_of_range",
    "ruleset_unknown",
    "seat_out_of_range",
)
def simulate_turn(wanted: dict[str, Any]) -> Response:
    """Place the cards of one turn on the rows that you give.

    Nothing is kept and nobody has to be known. Where a choice is missing the turn stops: the answer has the rows so far
    and says in `pending` who has to choose from what. A position or a choice that cannot be is refused.
    """
    made = simulate(ruleset(wanted["ruleset"]), wanted["rows"], wanted["plays"], wanted["choices"])
    return Response(orjson.dumps(made), content_type="application/json")
