"""Decisions, the whole of play: what you owe, and your answers."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any, Final

import orjson
from flask import Response

from engine.agreements import MOST_VOTES
from engine.decisions import Key
from engine.errors import Refusal
from engine.game import Game
from service.active import active_tables
from service.api import examples
from service.api.answering import answered_before, command, event_of, is_another
from service.auth import current_player, requires_player
from service.http.answers import Representation, answer, represent
from service.http.blueprint import Blueprint
from service.limiting import changing
from service.problems import Problem
from service.receipts import given, receipt, remembered
from service.schemas import decisions as schemas
from service.services import current
from service.shown import decision_document, shown_decisions
from service.tables import Table, note_ends, seen_table

blp = Blueprint("decisions", __name__, description="What you owe, over all your games, and how you answer.")

_FIRST: Final = {"game_id": "$response.body#/items/0/game", "key": "$response.body#/items/0/key"}


@blp.route("/v1/me/decisions")
@requires_player
@blp.arguments(schemas.DecisionsQuery, location="query")
@blp.response(
    200,
    schemas.DecisionListSchema,
    examples={name: {"value": {"items": [one.decision]}} for name, one in examples.ANSWERS.items()},
)
@blp.refuses("game_not_found", "too_many_waiting")
@blp.leads_to("show_decision", _FIRST)
@blp.leads_to(
    "answer_decision", _FIRST, name="lay_card", body={"card": "$response.body#/items/0/legal/cards/0"}
)
@blp.leads_to(
    "answer_decision",
    _FIRST,
    name="choose_row",
    body={"row": 0, "mode": "$response.body#/items/0/legal/rows/0/0"},
)
@blp.leads_to(
    "answer_decision", _FIRST, name="cast_ballot", body={"choice": "$response.body#/items/0/legal/choices/0"}
)
@blp.polled
def list_decisions(wanted: dict[str, Any]) -> Response:
    """List what you owe, over all your games or in one, the next deadline first.

    With `wait` the answer is held while you owe nothing; not for a game that is over, where you never will.
    """
    return answer(lambda: _owed(wanted.get("game")), wanted["wait"])


@blp.route("/v1/games/<game_id>/decisions/<key>")
@requires_player
@blp.response(200, schemas.DecisionSchema, example=examples.ANSWERED)
@blp.refuses("game_not_found", "decision_not_found")
@blp.polled
def show_decision(game_id: str, key: str) -> Response:
    """Show one of your decisions, open or over, with your answer and its receipt."""
    return answer(lambda: _shown(seen_table(game_id), key))


@blp.route("/v1/games/<game_id>/decisions/<key>", methods=["PUT"])
@blp.counts_as("laying")
@requires_player
@blp.arguments(
    schemas.GivenSchema,
    required=True,  # which of its fields, the decision says
    examples={name: {"value": one.answer} for name, one in examples.ANSWERS.items()},
)
@blp.response(
    200,
    schemas.ReceiptSchema,
    examples={name: {"value": one.receipt} for name, one in examples.ANSWERS.items()},
)
@blp.refuses("game_not_found", "decision_not_found", "decision_not_open", "decision_closed")
@blp.refuses("already_answered", "game_not_playing", "game_over", "game_paused", "no_row_choice")
@blp.refuses("card_not_in_hand", "if_low_not_allowed", "row_out_of_range", "mode_not_legal")
@blp.refuses("card_not_in_draft", "not_your_pick", "not_a_voter", "not_seated", "too_many_changes")
@blp.leads_to("show_decision", {"game_id": "$request.path.game_id", "key": "$response.body#/key"})
@blp.leads_to("list_decisions", {"game": "$request.path.game_id", "wait": "25"})
def answer_decision(wanted: dict[str, Any], game_id: str, key: str) -> Response:
    """Answer a decision.

    The same answer again gets the same receipt, at any time; another one is refused, except for a card that has not been
    revealed where the table's option `recommit` allows it. The receipt proves your card: keep it.

    In a draft the key of your next pick takes a `plan`, also before its moment: at each of your picks you get the first
    card of it that is left. Another plan replaces it, and a `card` goes before it.

    If you were away, any answer returns you.
    """
    table = seen_table(game_id)
    asked = _own_key(table, key)
    answering = command(asked, wanted, current_player().id)
    is_change = is_another(table.live.game, answering)
    try:
        with changing(current_player().id, game_id) if is_change else nullcontext():
            done = current().play.execute(game_id, answering, table.live)
    except Refusal as refusal:
        event = answered_before(game_id, asked, answering, refusal)
    else:
        event = event_of(done, asked, answering)
        note_ends(done)
    return Response(orjson.dumps(receipt(asked, event)), content_type="application/json")


def _own_key(table: Table, text: str) -> Key:
    """Return the decision that `text` names, if it can be one of the viewer's seat; another's is as absent as none."""
    key = Key.parse(text)
    if key is None or key.seat != table.seat or key.number > _most(table.live.game, key):
        raise Problem("decision_not_found")
    return key


def _most(game: Game, key: Key) -> int:
    """Return the highest number that a decision of this kind can have in a game."""
    rules = game.rules
    match key.kind:
        case "card" | "row":
            return rules.hand_size
        case "pick":
            return rules.dealt * len(game.seats) if rules.drafts else 0
        case "ballot":
            return MOST_VOTES


def _shown(table: Table, text: str) -> Representation:
    key, game = _own_key(table, text), table.live.game
    found = remembered(game, key)
    if found is None:
        raise Problem("decision_not_found")
    event = found.answer
    return represent(
        decision_document(
            table.live,
            found.decision,
            is_over=found.is_over,
            answer=given(key, event) if event else None,
            answered_by=event["by"]["kind"] if event else None,
            receipt=receipt(key, event) if event else None,
        )
    )


def _owed(game_id: str | None) -> Representation:
    player = current_player()
    tables = [seen_table(game_id)] if game_id is not None else list(active_tables(player))
    found = sorted(decision for table in tables for decision in shown_decisions(table))
    body = b'{"items":[' + b",".join([written for _, written in found]) + b"]}"
    is_over = game_id is not None and tables[0].live.game.is_over
    watch = {player.id, *(table.live.game.id for table in tables)}
    return represent(body, watch=watch, ready=bool(found) or is_over)
