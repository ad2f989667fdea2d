"""Hints for whoever learns the game: what each card would do now."""

from __future__ import annotations

from typing import Any, Final

from flask import Response

from engine import wire
from engine.decisions import Decision, current_decisions
from engine.game import Game
from engine.hints import Hint, hints
from engine.log import Live
from engine.views import view
from service.api import examples
from service.auth import requires_player
from service.http.answers import Representation, answer, represent
from service.http.blueprint import Blueprint
from service.problems import Problem
from service.schemas.hints import HintListSchema
from service.tables import Table, seen_table

blp = Blueprint("hints", __name__, description="For whoever learns the game.")


def _document(live: Live, seat: int) -> dict[str, Any]:
    decision = _may_lay(live.game, seat)
    found = hints(view(live.game, seat, live.head)) if decision else ()
    return {
        "key": str(decision.key) if decision else None,
        "items": [wire.write(Hint, hint) for hint in found],
    }


def _may_lay(game: Game, seat: int) -> Decision | None:
    """Return the card that the seat may lay now, or lay another for."""
    for decision in current_decisions(game):
        if decision.seat == seat and decision.key.kind == "card":
            return decision if decision.answer is None or game.options.recommit else None
    return None


_EXAMPLE: Final = _document(examples.STARTED_LIVE, 0)


@blp.route("/v1/games/<game_id>/hints")
@requires_player
@blp.response(200, HintListSchema, example=_EXAMPLE | {"items": _EXAMPLE["items"][:2]})
@blp.refuses("game_not_found", "not_seated")
@blp.polled
def list_hints(game_id: str) -> Response:
    """Show for each card of your hand what it would do now: where it goes, what may come before it, what it costs.

    From what you can see yourself, so nothing that is hidden shows in it; at an open table the others' hands count, too.
    """
    return answer(lambda: _shown(seen_table(game_id)))


def _shown(table: Table) -> Representation:
    if table.seat is None:
        raise Problem("not_seated")
    return represent(_document(table.live, table.seat))
