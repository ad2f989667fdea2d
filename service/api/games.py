"""Games: opening a table, finding one, looking at it, changing it, starting."""

from __future__ import annotations

import os
import secrets
from base64 import b32encode
from contextlib import nullcontext
from typing import Any, Final

from flask import Response

from engine.commands import ChangeOptions, CloseLobby, CreateGame, JoinSeat, StartGame
from engine.resolve import resolve
from service import lists
from service.api import examples
from service.auth import accepts_player, current_player, must_be_player, requires_player
from service.http.answers import answer
from service.http.blueprint import Blueprint
from service.http.creation import claim, created_once
from service.http.pages import page, read_cursor
from service.limiting import keeping
from service.problems import invalid
from service.profiles import owner_of
from service.schemas import games as schemas
from service.schemas.base import WaitQuery
from service.seating import taking_seat
from service.services import current, link
from service.shown import shown_game, tell
from service.store.moments import now
from service.store.play import Done
from service.store.players import Player
from service.tables import note_ends, note_visibility, seen_table, table_for

blp = Blueprint("games", __name__, description="Tables and the games played at them.")

_CODE_LETTERS: Final = "23456789ABCDEFGHJKLMNPQRSTUVWXYZ"
_CODE_LENGTH: Final = 10
_OF_THE_SEAT: Final = ("seat_me", "client_seed", "accept_bots")


@blp.route("/v1/games", methods=["POST"])
@requires_player
@blp.arguments(schemas.NewGameSchema, example=examples.NEW_GAME)
@blp.response(201, schemas.GameSchema, example=examples.LOBBY)
@blp.refuses("bad_options", "ruleset_unknown", "client_seed_invalid", "too_many_games", "too_many_new_games")
@blp.refuses("bot_busy")
@blp.leads_to("show_game", {"game_id": "$response.body#/id"})
@blp.leads_to("change_game", {"game_id": "$response.body#/id"})
@blp.leads_to("close_game", {"game_id": "$response.body#/id"})
@blp.leads_to(
    "take_seat",
    {"game_id": "$response.body#/id"},
    body={"code": "$response.body#/join_code", "accept_bots": True},
)
@blp.leads_to("seat_bot", {"game_id": "$response.body#/id", "seat": "1"}, body={"house": "random"})
@created_once
def create_game(wanted: dict[str, Any]) -> Response:
    """Open a table.

    You become its host and take seat 0, unless `seat_me` is false. From here on `seed_commit` fixes all that chance will
    do; add a `client_seed` of your own, and nobody can have chosen the deal.
    """
    options = resolve({name: value for name, value in wanted.items() if name not in _OF_THE_SEAT})
    player, client_seed = current_player(), wanted.get("client_seed")
    if client_seed is not None and not wanted["seat_me"]:
        raise invalid("body", "/client_seed", "Only who takes a seat has a client seed.")
    join = None
    if wanted["seat_me"]:
        join = JoinSeat(
            player.id,
            player.name,
            player.kind,
            0,
            client_seed or "",
            wanted["accept_bots"],
            owner_of(player),
        )
    made = claim()
    game_id = made.new_id("g_") if made else _new_game_id()
    with keeping("new_games", player.id):
        done = _opened(player, CreateGame(game_id, player.id, options), join)
    return tell(table_for(done.live, player), 201, link(f"/v1/games/{game_id}"))


@blp.route("/v1/games")
@accepts_player
@blp.arguments(schemas.GamesQuery, location="query")
@blp.response(
    200, schemas.GamePageSchema, example={"items": [lists.summary(examples.LOBBY_TABLE)], "next_cursor": None}
)
@blp.refuses("invalid_cursor", "token_required")
@blp.leads_to("list_games", {"cursor": "$response.body#/next_cursor"})
@blp.leads_to("show_game", {"game_id": "$response.body#/items/0/id"})
def list_games(wanted: dict[str, Any]) -> Response:
    """List games, newest first: those that are listed, and your own.

    A page may be shorter than `limit` although more follow: go on until `next_cursor` is null.
    """
    if wanted.get("player") == schemas.ME:
        wanted = {**wanted, "player": must_be_player().id}
    before = read_cursor(wanted.get("cursor"), int, str)
    found, after = lists.games(wanted, (before[0], before[1]) if before else None)
    return page(map(lists.summary, found), after)


@blp.route("/v1/games/<game_id>")
@accepts_player
@blp.arguments(WaitQuery, location="query")
@blp.response(200, schemas.GameSchema, example=examples.PLAYING)
@blp.refuses("game_not_found", "too_many_waiting")
@blp.leads_to("start_game", {"game_id": "$response.body#/id"})
@blp.leads_to("list_decisions", {"game": "$response.body#/id", "wait": "25"})
@blp.leads_to("list_events", {"game_id": "$response.body#/id"})
@blp.leads_to("download_replay", {"game_id": "$response.body#/id"})
@blp.leads_to("verify_game", {"game_id": "$response.body#/id"})
@blp.leads_to("list_frames", {"game_id": "$response.body#/id"})
@blp.leads_to("show_scores", {"game_id": "$response.body#/id"})
@blp.leads_to("list_hints", {"game_id": "$response.body#/id"})
@blp.leads_to("open_vote", {"game_id": "$response.body#/id"}, body={"kind": "pause"})
@blp.leads_to("go_away", {"game_id": "$response.body#/id"})
@blp.leads_to("resign_seat", {"game_id": "$response.body#/id"})
@blp.leads_to("ask_for_rematch", {"game_id": "$response.body#/id"})
@blp.polled
def show_game(wanted: dict[str, Any], game_id: str) -> Response:
    """Show a game as you may see it: with your hand, if you hold a seat.

    A private game, or one without spectators, is shown to its host and to those who sit at it; anybody else cannot tell
    it from one that does not exist.
    """
    return answer(lambda: shown_game(seen_table(game_id)), wanted["wait"])


@blp.route("/v1/games/<game_id>", methods=["PATCH"])
@requires_player
@blp.arguments(schemas.ChangeGameSchema, example={"seats": 5, "pace": "slow"})
@blp.response(200, schemas.GameSchema, example=examples.LOBBY)
@blp.refuses("game_not_found", "bad_options", "ruleset_unknown", "not_host", "game_over", "game_started")
def change_game(wanted: dict[str, Any], game_id: str) -> Response:
    """Change the options of your game, before its start.

    Whoever was ready has to say so again.
    """
    seen_table(game_id)
    done = current().play.execute(game_id, ChangeOptions(current_player().id, wanted))
    note_visibility(done.live.game)
    return tell(table_for(done.live, current_player()))


@blp.route("/v1/games/<game_id>", methods=["DELETE"])
@requires_player
@blp.response(204)
@blp.refuses("game_not_found", "not_host", "game_over", "game_started")
def close_game(game_id: str) -> Response:
    """Give your game up, before its start; it stays to be read, as abandoned."""
    seen_table(game_id)
    note_ends(current().play.execute(game_id, CloseLobby(current_player().id)))
    return Response(status=204)


@blp.route("/v1/games/<game_id>/start", methods=["POST"])
@requires_player
@blp.response(200, schemas.GameSchema, example=examples.PLAYING)
@blp.refuses("game_not_found", "not_host", "game_over", "game_started", "not_enough_players")
@blp.leads_to("show_game", {"game_id": "$response.body#/id"})
@blp.leads_to("list_decisions", {"game": "$response.body#/id", "wait": "25"})
def start_game(game_id: str) -> Response:
    """Start your game, once every seat is taken.

    It starts by itself when everybody is ready.
    """
    seen_table(game_id)
    return _told(game_id, StartGame(current_player().id))


def _opened(player: Player, command: CreateGame, join: JoinSeat | None) -> Done:
    with taking_seat(player, command.game, now(), command.options) if join else nullcontext():
        return current().play.create(
            command, master=os.urandom(32), join_code=new_code(), then=(join,) if join else ()
        )


def _told(game_id: str, command: ChangeOptions | StartGame) -> Response:
    done = current().play.execute(game_id, command)
    return tell(table_for(done.live, current_player()))


def _new_game_id() -> str:
    return "g_" + b32encode(secrets.token_bytes(16)).decode().rstrip("=").lower()


def new_code() -> str:
    """Return a join code: ten letters and digits that are not taken for each other."""
    return "".join(secrets.choice(_CODE_LETTERS) for _ in range(_CODE_LENGTH))
