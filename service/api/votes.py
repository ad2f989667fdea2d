"""What a table agrees on beside the play: votes, and what became of them."""

from __future__ import annotations

from typing import Any, Final

import orjson
from flask import Response

from engine import wire
from engine.commands import OpenVote
from engine.events import VoteOpened
from engine.votes import VoteTold, votes
from service.api import examples
from service.auth import accepts_player, current_player, requires_player
from service.http.answers import Representation, answer, represent
from service.http.blueprint import Blueprint
from service.http.creation import claim, created_once
from service.schemas import votes as schemas
from service.schemas.base import WaitQuery
from service.services import current, link
from service.tables import Table, note_ends, seen_table

blp = Blueprint("votes", __name__, description="What a table agrees on beside the play.")

_EXAMPLE: Final = wire.write(VoteTold, votes(examples.VOTE_LOG)[-1])


@blp.route("/v1/games/<game_id>/votes", methods=["POST"])
@requires_player
@blp.arguments(schemas.NewVoteSchema, example={"kind": "pause"})
@blp.response(201, schemas.VoteSchema, example=_EXAMPLE)
@blp.response(
    200, schemas.VoteSchema, description="You had opened this very vote, and it is open.", example=_EXAMPLE
)
@blp.refuses("game_not_found", "not_seated", "game_not_playing", "game_over", "votes_off", "not_a_voter")
@blp.refuses("vote_open", "vote_not_possible", "vote_too_soon", "too_many_votes", "seat_out_of_range")
@blp.leads_to("list_votes", {"game_id": "$request.path.game_id"})
@created_once
def open_vote(wanted: dict[str, Any], game_id: str) -> Response:
    """Ask the others at the table for their agreement.

    `redeal` voids this round and deals it again, `abandon` ends the game without a winner, `pause` stops it until `resume`,
    or for a day, `replace` has a house bot play on for a `seat`. It needs a yes of every person at the table, whom it asks
    by a decision; yours is given with it. One no ends it, and so does its deadline: silence is no. After one that failed,
    wait a minute.
    """
    table = seen_table(game_id)
    wish = OpenVote(current_player().id, wanted["kind"], wanted.get("seat"))
    made = claim()
    before = _latest_like(table, wish) if made and made.is_again else None
    if before:
        return _answer(game_id, before, 201)
    done = current().play.execute(game_id, wish)
    note_ends(done)
    opened = [envelope["data"]["vote"] for envelope in done.envelopes if envelope["type"] == VoteOpened.type]
    number = opened[0] if opened else done.live.game.votes
    return _answer(game_id, votes(current().play.log(game_id))[number - 1], 201 if opened else 200)


@blp.route("/v1/games/<game_id>/votes")
@accepts_player
@blp.arguments(WaitQuery, location="query")
@blp.response(200, schemas.VoteListSchema, example={"items": [_EXAMPLE]})
@blp.refuses("game_not_found", "too_many_waiting")
@blp.polled
def list_votes(wanted: dict[str, Any], game_id: str) -> Response:
    """Show every vote of a game, the first one first: who said what, and how it ended."""
    return answer(lambda: _shown(seen_table(game_id)), wanted["wait"])


def _latest_like(table: Table, wish: OpenVote) -> VoteTold | None:
    """Return the newest vote if it is the one that is asked for: an earlier attempt may have opened it, and died then."""
    told = votes(current().play.log(table.live.game.id))
    if told and (told[-1].seat, told[-1].kind, told[-1].target) == (table.seat, wish.kind, wish.target):
        return told[-1]
    return None


def _answer(game_id: str, told: VoteTold, status: int) -> Response:
    response = Response(orjson.dumps(wire.write(VoteTold, told)), status, content_type="application/json")
    response.headers["Location"] = link(f"/v1/games/{game_id}/votes")
    return response


def _shown(table: Table) -> Representation:
    live, kept = table.live, current().shown
    key = ("votes", live.game.id)
    found: Representation | None = kept.get(key, live.head)
    if found is None:
        told = votes(current().play.log(live.game.id)) if live.game.votes else ()
        found = represent({"items": [wire.write(VoteTold, one) for one in told]}, watch={live.game.id})
        kept.put(key, live.head, found)
    return found
