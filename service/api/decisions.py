"""Decisions, the whole of play: what you owe, and your answers."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, Final

import orjson
from flask import Response

from engine.commands import ChooseRow, LayCard
from engine.decisions import Key
from engine.errors import Refusal
from engine.log import Envelope
from service.api import examples
from service.auth import current_player, requires_player
from service.http.answers import Representation, answer, represent
from service.http.blueprint import Blueprint
from service.problems import FieldError, Problem
from service.receipts import event_at, given, receipt, remembered
from service.schemas import decisions as schemas
from service.services import current
from service.shown import decision_document, shown_decisions
from service.store.play import Done, NoSuchGame, now
from service.store.players import Player
from service.tables import Table, note_left, seen_table, table_for

blp = Blueprint("decisions", __name__, description="What you owe, over all your games, and how you answer.")

_GAMES_AT_ONCE: Final = 100
_CREATED_WITHIN_MS: Final = 60_000
_FIRST: Final = {"game_id": "$response.body#/items/0/game", "key": "$response.body#/items/0/key"}
_OVER: Final = frozenset({"decision_closed", "no_row_choice", "game_not_playing"})
"""Refusals of what may have been answered before: then the log knows, and the same answer gets its receipt again."""


@blp.route("/v1/me/decisions")
@requires_player
@blp.arguments(schemas.DecisionsQuery, location="query")
@blp.response(200, schemas.DecisionListSchema, example={"items": [examples.DECISION]})
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
    examples={"card": {"value": examples.CARD_ANSWER}, "row": {"value": examples.ROW_ANSWER}},
)
@blp.response(
    200,
    schemas.ReceiptSchema,
    examples={"card": {"value": examples.CARD_RECEIPT}, "row": {"value": examples.ROW_RECEIPT}},
)
@blp.refuses("game_not_found", "decision_not_found", "decision_not_open", "decision_closed")
@blp.refuses("already_answered", "game_not_playing", "no_row_choice")
@blp.refuses("card_not_in_hand", "row_out_of_range", "mode_not_legal")
@blp.leads_to("show_decision", {"game_id": "$request.path.game_id", "key": "$response.body#/key"})
@blp.leads_to("list_decisions", {"game": "$request.path.game_id", "wait": "25"})
def answer_decision(wanted: dict[str, Any], game_id: str, key: str) -> Response:
    """Answer a decision.

    The same answer again gets the same receipt, at any time; another one is refused, except for a card that has not been
    revealed where the table's option `recommit` allows it. The receipt proves your card: keep it.
    """
    table = seen_table(game_id)
    asked = _own_key(table, key)
    command = _command(asked, wanted)
    try:
        done = current().play.execute(game_id, command)
    except Refusal as refusal:
        if refusal.code not in _OVER:
            raise
        event = _answered_before(game_id, asked, command, refusal)
    else:
        event = _event_of(done, asked)
    return Response(orjson.dumps(receipt(asked, event)), content_type="application/json")


def _own_key(table: Table, text: str) -> Key:
    """Return the decision that `text` names, if it can be one of the viewer's seat; another's is as absent as none."""
    key = Key.parse(text)
    if key is None or key.seat != table.seat or key.number > table.live.game.rules.hand_size:
        raise Problem("decision_not_found")
    return key


def _command(key: Key, wanted: dict[str, Any]) -> LayCard | ChooseRow:
    moment = (key.seat, key.round, key.number)
    match key.kind, wanted:
        case "card", {"card": card, **rest} if not rest:
            return LayCard(*moment, card, key.attempt)
        case "row", {"row": row, **rest} if rest.keys() <= {"mode"}:
            return ChooseRow(*moment, row, rest.get("mode"), key.attempt)
        case _:
            raise _wrong_fields(key, wanted)


def _wrong_fields(key: Key, wanted: dict[str, Any]) -> Problem:
    """Say which fields of an answer belong to another kind of decision, or that the one that counts is missing."""
    allowed = {"card"} if key.kind == "card" else {"row", "mode"}
    errors = [
        FieldError("body", f"/{name}", f"Not part of the answer to a {key.kind} decision.")
        for name in wanted
        if name not in allowed
    ]
    if key.kind not in wanted:
        errors.append(FieldError("body", f"/{key.kind}", "Missing data for required field."))
    return Problem("invalid_request", errors=tuple(errors))


def _event_of(done: Done, key: Key) -> Envelope:
    """Return the event that holds the answer: the one just written, or that of an earlier, equal answer."""
    if done.envelopes:
        return done.envelopes[0]
    game = done.live.game
    standing = game.laid[key.seat] if key.kind == "card" else game.chosen
    if standing is None:
        raise AssertionError(f"{key} was taken for answered in game {game.id}")
    return event_at(game.id, standing.seq)


def _answered_before(game_id: str, key: Key, command: LayCard | ChooseRow, refusal: Refusal) -> Envelope:
    """Return the event that holds this very answer, given at an earlier moment; else raises what is to be said."""
    found = remembered(current().play.live(game_id).game, key)
    if found is None:
        raise Problem("decision_not_found") if refusal.code == "decision_closed" else refusal
    if found.answer is None:
        raise refusal
    if not _is_same(command, given(key, found.answer)):
        raise Refusal("decision_closed", "This decision was answered otherwise, and is over.")
    return found.answer


def _is_same(command: LayCard | ChooseRow, answered: dict[str, Any]) -> bool:
    match command:
        case LayCard():
            return bool(command.card == answered["card"])
        case ChooseRow():
            return command.row == answered["row"] and command.mode in (None, answered["mode"])


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
    tables = [seen_table(game_id)] if game_id is not None else list(_active_tables(player))
    found = sorted(decision for table in tables for decision in shown_decisions(table))
    body = b'{"items":[' + b",".join([written for _, written in found]) + b"]}"
    is_over = game_id is not None and tables[0].live.game.is_over
    watch = {player.id, *(table.live.game.id for table in tables)}
    return represent(body, watch=watch, ready=bool(found) or is_over)


def _active_tables(player: Player) -> Iterator[Table]:
    """Yield the tables at which the player sits; notes on the way which of the games are over, or never came."""
    services, before = current(), None
    while True:
        games = services.players.games_of(player.id, _GAMES_AT_ONCE, before, active=True)
        for created_ms, game_id in games:
            try:
                table = table_for(services.play.live(game_id), player)
            except NoSuchGame:  # about to be created, or given up half-way
                if now() - created_ms > _CREATED_WITHIN_MS:
                    note_left(game_id, player)
                continue
            if table.live.game.is_over:
                services.players.end_game(player.id, game_id)
            elif table.seat is not None:
                yield table
            else:  # about to sit down, or left
                note_left(game_id, player)
        if len(games) < _GAMES_AT_ONCE:
            return
        before = games[-1]
