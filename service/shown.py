"""Games as JSON for one viewer, made once a state: every viewer of the same rights gets the same bytes."""

from __future__ import annotations

from typing import Any, TypeAlias

import orjson
from flask import Response

from engine import wire
from engine.decisions import BALLOTS, Decision, open_decisions, planned_card
from engine.game import Game
from engine.log import Live
from engine.options import Options
from engine.times import Millis, rfc3339
from engine.views import view
from service.auth import viewer
from service.http.answers import Representation, represent
from service.rematches import next_id
from service.schemas.decisions import BALLOT_ON_TIMEOUT, ROW_ON_TIMEOUT
from service.services import current
from service.store.games import NoSuchGame
from service.tables import Table

Place: TypeAlias = tuple[bool, int, int, str]
"""What decisions are ordered by: those with a deadline first, the next one at the top, then the oldest."""


def game_document(
    live: Live, seat: int | None, join_code: str | None, rematch: str | None = None
) -> dict[str, Any]:
    """Return a game as the holder of `seat`, or everybody, sees it: the view, and what the table agreed on."""
    game = live.game
    opened_at, deadline = _waits(game)
    return {
        "id": game.id,
        "host": game.host,
        "created_at": rfc3339(game.created_at),
        "options": wire.write(Options, game.options),
        "seed_commit": game.seed_commit,
        "join_code": join_code,
        "opened_at": _moment(opened_at),
        "deadline": _moment(deadline),
        "vote_deadline": _moment(game.vote.deadline if game.vote else None),
        "next_vote_at": _moment(game.next_vote_at or None),
        "paused_until": _moment(game.paused_until),
        "rematch_of": game.rematch_of,
        "rematch": rematch,
        "kept": list(game.kept),
        "kept_until": _moment(game.kept_until),
        **view(game, seat, live.head),
    }


def shown_game(table: Table) -> Representation:
    """Return the game as the viewer of the table sees it now; the join code is for those at it, until the start."""
    live, kept = table.live, current().shown
    following = next_id(live.game.id) if live.game.phase == "over" else None
    rematch = following if following and _may_see(following) else None
    key = ("game", live.game.id, table.seat, table.is_host, rematch)
    found: Representation | None = kept.get(key, live.head)
    if found is None:
        knows_code = live.game.status == "lobby" and (table.is_host or table.seat is not None)
        code = current().play.secrets(live.game.id)["join_code"] if knows_code else None
        watch = {live.game.id, following} if following else {live.game.id}
        found = represent(game_document(live, table.seat, code, rematch), watch=watch)
        kept.put(key, live.head, found)
    return found


def _may_see(game_id: str) -> bool:
    """Return whether there is such a game for the viewer."""
    player = viewer()
    try:
        current().play.entered(game_id, player.id if player else None)
    except NoSuchGame:
        return False
    return True


def tell(table: Table, status: int = 200, location: str | None = None, seat: int | None = None) -> Response:
    """Return the answer to who has just changed a game: the game, or `{seat, game}` when it was about a seat."""
    shown = shown_game(table)
    body = shown.body if seat is None else b'{"seat":%d,"game":%b}' % (seat, shown.body)
    response = Response(body, status, content_type="application/json")
    if seat is None:
        response.headers["ETag"] = f'"{shown.etag}"'
    if location:
        response.headers["Location"] = location
    return response


def shown_decisions(table: Table) -> list[tuple[Place, bytes]]:
    """Return what the viewer's seat owes now, each with its place in the order."""
    live, kept = table.live, current().shown
    key = ("decisions", live.game.id, table.seat)
    found: list[tuple[Place, bytes]] | None = kept.get(key, live.head)
    if found is None:
        found = [
            (_place(decision), orjson.dumps(decision_document(live, decision)))
            for decision in open_decisions(live.game)
            if decision.seat == table.seat and not _is_planned(live.game, decision)
        ]
        kept.put(key, live.head, found)
    return found


def decision_document(
    live: Live,
    decision: Decision,
    *,
    is_over: bool = False,
    answer: dict[str, Any] | None = None,
    answered_by: str | None = None,
    receipt: dict[str, Any] | None = None,
) -> dict[str, Any]:
    """Return a decision as its seat sees it; with what it answered, once it has."""
    return {
        "key": str(decision.key),
        "game": live.game.id,
        "kind": decision.key.kind,
        "opened_at": rfc3339(decision.opened_at),
        "deadline": _moment(decision.deadline),
        "bank_from": _moment(decision.bank_from),
        "on_timeout": _on_timeout(live.game, decision),
        "legal": None if is_over else _legal(decision),
        "answer": answer,
        "answered_by": answered_by,
        "receipt": receipt,
        "view": view(live.game, decision.seat, live.head),
    }


def _is_planned(game: Game, decision: Decision) -> bool:
    """Return whether the seat's plan is about to answer: then nothing is owed."""
    return decision.key.kind == "pick" and planned_card(game, decision.seat) is not None


def _on_timeout(game: Game, decision: Decision) -> str:
    match decision.key.kind:
        case "card" | "pick":
            return game.options.on_timeout
        case "row":
            return ROW_ON_TIMEOUT
        case "ballot":
            return BALLOT_ON_TIMEOUT


def _legal(decision: Decision) -> dict[str, Any]:
    match decision.key.kind:
        case "card" | "pick":
            return {"cards": list(decision.cards)}
        case "row":
            return {"rows": [list(modes) for modes in decision.rows]}
        case "ballot":
            return {"choices": list(BALLOTS)}


def _place(decision: Decision) -> Place:
    return decision.deadline is None, decision.deadline or 0, decision.opened_at, str(decision.key)


def _waits(game: Game) -> tuple[Millis | None, Millis | None]:
    """Return since when the play has been waiting for somebody, and until when it will."""
    if game.status != "playing":
        return None, None
    if game.request:
        return game.request.opened_at, game.request.deadline
    return (game.opened_at, game.deadline) if game.phase in ("draft", "lay_card") else (None, None)


def _moment(moment: Millis | None) -> str | None:
    return None if moment is None else rfc3339(moment)
