"""Leaving a table that plays: for a while, or for good; and the next game of the same table."""

from __future__ import annotations

import os

from flask import Response

from engine.commands import GoAway, Resign, Return
from engine.errors import Refusal
from service import rematches
from service.api import examples
from service.api.games import new_code
from service.auth import current_player, requires_player
from service.http.blueprint import Blueprint
from service.http.creation import created_once
from service.limiting import keeping
from service.problems import Problem
from service.schemas.games import GameSchema
from service.seating import leaving_seat, taking_seat
from service.services import current, link
from service.shown import tell
from service.store.moments import now
from service.tables import note_ends, seen_table, table_for

blp = Blueprint("absences", __name__, description="Leaving a table that plays, and meeting there again.")

_PLAYING = ("game_not_found", "not_seated", "game_not_playing", "game_over")


@blp.route("/v1/games/<game_id>/away", methods=["PUT"])
@requires_player
@blp.response(200, GameSchema, example=examples.AWAY)
@blp.refuses(*_PLAYING)
@blp.leads_to("return_to_seat", {"game_id": "$response.body#/id"})
@blp.leads_to("list_decisions", {"game": "$response.body#/id"})
def go_away(game_id: str) -> Response:
    """Have the table's policy play for you until you return.

    It answers in your place as soon as nobody else is waited for, at your deadline at the latest. Answering anything returns
    you.
    """
    seen_table(game_id)
    player = current_player()
    return tell(table_for(current().play.execute(game_id, GoAway(player.id)).live, player))


@blp.route("/v1/games/<game_id>/away", methods=["DELETE"])
@requires_player
@blp.response(204)
@blp.refuses(*_PLAYING)
def return_to_seat(game_id: str) -> Response:
    """Answer for your seat again."""
    seen_table(game_id)
    current().play.execute(game_id, Return(current_player().id))
    return Response(status=204)


@blp.route("/v1/games/<game_id>/resign", methods=["POST"])
@requires_player
@blp.response(200, GameSchema, example=examples.RESIGNED)
@blp.refuses(*_PLAYING)
@blp.leads_to("show_game", {"game_id": "$response.body#/id"})
@blp.counts_as("laying")
def resign_seat(game_id: str) -> Response:
    """Give your seat up for good; a house bot plays on in your place, and the others go on.

    You may watch the game as a spectator, also where there are no others. The result of the seat stands under your name.
    """
    table, player = seen_table(game_id), current_player()
    try:
        done = current().play.execute(game_id, Resign(player.id))
    except Refusal as refusal:
        if refusal.code != "not_seated" or not table.was_seated:
            raise
        return tell(table_for(current().play.live(game_id), player))  # given up before
    note_ends(done)
    return tell(table_for(done.live, player))


@blp.route("/v1/games/<game_id>/rematch", methods=["POST"])
@requires_player
@blp.response(201, GameSchema, example=examples.REMATCH)
@blp.response(200, GameSchema, description="Somebody has asked before.", example=examples.REMATCH)
@blp.refuses(
    "game_not_found", "not_seated", "game_not_over", "game_started", "too_many_games", "too_many_new_games"
)
@blp.refuses("bot_busy")
@blp.leads_to("take_seat", {"game_id": "$response.body#/id"}, body={"accept_bots": True})
@blp.leads_to("show_game", {"game_id": "$response.body#/id"})
@created_once
def ask_for_rematch(game_id: str) -> Response:
    """Play again, with the same options at the same table.

    A game has one next game, whoever asks first, which is shown as its `rematch`. That player is its host and sits where it
    sat, as do the house bots. Who asks later gets the same game, and sits at it after `POST .../seats`, as at any table; for
    two minutes the seats are kept for those who held them.
    """
    table, player = seen_table(game_id), current_player()
    game = table.live.game
    if not table.was_seated:
        raise Problem("not_seated", "Only who held a seat may ask for the next game.")
    if game.phase != "over":
        raise Problem("game_not_over")
    rematch = rematches.next_id(game_id)
    live, is_new = rematches.find(rematch), False
    if live is None:
        wanted, then = rematches.opening(game, player, rematch)
        with keeping("new_games", player.id), taking_seat(player, rematch, now(), game.options):
            done = current().play.create(wanted, master=os.urandom(32), join_code=new_code(), then=then)
        live, is_new = done.live, bool(done.envelopes)
        if not is_new:  # whoever came second after all sits nowhere yet
            with leaving_seat(player, rematch):
                pass
    found = table_for(live, player)
    if not found.is_seen:
        raise Problem("game_started", "The next game has begun without you, and nobody may watch it.")
    return tell(found, 201 if is_new else 200, link(f"/v1/games/{rematch}"))
