"""The seats of a game in its lobby: taking one, saying ready, leaving, and house bots."""

from __future__ import annotations

from contextlib import nullcontext
from typing import Any

from flask import Response

from engine.commands import ChangeSeat, InviteBot, JoinSeat, LeaveSeat, RemoveBot, SeatBot
from engine.errors import Refusal
from engine.game import Game
from engine.log import Live
from service.api import examples
from service.auth import current_player, requires_player
from service.http.blueprint import Blueprint
from service.http.creation import claim, created_once
from service.problems import FieldError, Problem, from_refusal, invalid
from service.profiles import owner_of
from service.schemas import seats as schemas
from service.schemas.games import GameSchema
from service.seating import leaving_seat, taking_seat
from service.services import current, link
from service.shown import tell
from service.store.players import Player
from service.tables import Table, joinable_table, seen_table, table_for

blp = Blueprint("seats", __name__, description="Who sits at a table before its game starts.")

_HOSTLY = ("game_not_found", "not_host", "game_over", "game_started", "seat_out_of_range", "seat_taken")


@blp.route("/v1/games/<game_id>/seats", methods=["POST"])
@requires_player
@blp.arguments(schemas.TakeSeatSchema, example={"client_seed": "8f14e45fceea167a", "accept_bots": True})
@blp.response(201, schemas.SeatTakenSchema, example=examples.TAKEN)
@blp.refuses(
    "game_not_found", "game_over", "game_started", "game_full", "already_seated", "bots_not_accepted"
)
@blp.refuses("client_seed_invalid", "seat_out_of_range", "seat_taken", "seat_kept", "too_many_games")
@blp.refuses("bot_busy")
@blp.leads_to("change_seat", {"game_id": "$response.body#/game/id"}, body={"ready": True})
@blp.leads_to("leave_seat", {"game_id": "$response.body#/game/id"})
@created_once
def take_seat(wanted: dict[str, Any], game_id: str) -> Response:
    """Take a seat.

    Without `seat` it is the first free one. A private game wants its join code as `code`, and does not exist for who has
    a wrong one.
    """
    game = joinable_table(game_id, wanted["code"]).live.game
    player = current_player()
    join = JoinSeat(
        player.id,
        player.name,
        player.kind,
        wanted.get("seat"),
        wanted["client_seed"],
        wanted["accept_bots"],
        owner_of(player),
    )
    with taking_seat(player, game_id, game.created_at, game.options):
        try:
            live = current().play.execute(game_id, join).live
        except Refusal:
            live = current().play.live(game_id)
            if not _is_again() or live.game.seat_of(player.id) not in _wanted_seats(wanted, live.game):
                raise
    table = table_for(live, player)
    return tell(table, 201, link(f"/v1/games/{game_id}"), table.seat)


@blp.route("/v1/games/<game_id>/seats/me", methods=["PATCH"])
@requires_player
@blp.arguments(schemas.ChangeSeatSchema, example={"ready": True})
@blp.response(200, GameSchema, example=examples.LOBBY)
@blp.refuses("game_not_found", "not_seated", "game_over", "game_started", "client_seed_invalid")
@blp.refuses("bots_not_accepted")
def change_seat(wanted: dict[str, Any], game_id: str) -> Response:
    """Say that you are ready, add your client seed, or agree to play with bots.

    When every seat is taken and ready, the game starts.
    """
    seen_table(game_id)
    player = current_player()
    command = ChangeSeat(player.id, wanted.get("ready"), wanted.get("client_seed"), wanted.get("accept_bots"))
    return tell(table_for(current().play.execute(game_id, command).live, player))


@blp.route("/v1/games/<game_id>/seats/me", methods=["DELETE"])
@requires_player
@blp.response(204)
@blp.refuses("game_not_found", "not_seated", "game_over", "game_started")
def leave_seat(game_id: str) -> Response:
    """Leave the table, before the game starts; if you were its host, the next player is."""
    seen_table(game_id)
    player = current_player()
    with leaving_seat(player, game_id):
        current().play.execute(game_id, LeaveSeat(player.id))
    return Response(status=204)


@blp.route("/v1/games/<game_id>/seats/<int:seat>/bot", methods=["POST"])
@requires_player
@blp.arguments(
    schemas.SeatBotSchema,
    required=True,  # which of its fields, the host says
    examples={
        "house": {"value": {"house": "random"}},
        "player": {"value": {"player": "p_6dkq2vxn4tq3m5whzr7yb2c4ae"}},
    },
)
@blp.response(201, schemas.SeatTakenSchema, example=examples.WITH_BOT)
@blp.refuses(*_HOSTLY, "bot_level_unknown", "bots_not_accepted", "seat_kept", "bot_unknown", "bot_busy")
@blp.refuses("already_seated")
@blp.leads_to("start_game", {"game_id": "$response.body#/game/id"})
@blp.leads_to("remove_bot", {"game_id": "$response.body#/game/id", "seat": "$response.body#/seat"})
@created_once
def seat_bot(wanted: dict[str, Any], game_id: str, seat: int) -> Response:
    """Seat a bot at your table: one of the house, or a player.

    A bot that is a player comes if it is yours, or if its owner lets anyone invite it. Everybody else at the table must
    have agreed to bots.
    """
    table, player = seen_table(game_id), current_player()
    _check_seat(table, seat)
    try:
        live = _bot_seated(table, player, seat, wanted)
    except Refusal as refusal:
        raise from_refusal(refusal, in_path={"seat"}) from None
    return tell(table_for(live, player), 201, link(f"/v1/games/{game_id}"), seat)


@blp.route("/v1/games/<game_id>/seats/<int:seat>/bot", methods=["DELETE"])
@requires_player
@blp.response(204)
@blp.refuses(*_HOSTLY)
def remove_bot(game_id: str, seat: int) -> Response:
    """Take a bot off its seat, before the game starts."""
    table = seen_table(game_id)
    _check_seat(table, seat)
    holder = table.live.game.seats[seat]
    bot = current().players.get(holder.player) if holder and holder.player else None
    with leaving_seat(bot, game_id) if bot else nullcontext():
        current().play.execute(game_id, RemoveBot(current_player().id, seat))
    return Response(status=204)


def _bot_seated(table: Table, player: Player, seat: int, wanted: dict[str, Any]) -> Live:
    match wanted:
        case {"house": level, **rest} if not rest:
            return _seated(table, SeatBot(player.id, seat, level))
        case {"player": bot_id, **rest} if not rest:
            if not table.is_host:
                raise Refusal("not_host")
            bot = current().players.get(bot_id)
            if bot is None or not _may_invite(player, bot):
                raise Problem(
                    "bot_unknown", errors=(FieldError("body", "/player", "No bot that you may seat."),)
                )
            invite = InviteBot(player.id, seat, bot.id, bot.name, owner_of(bot))
            game = table.live.game
            with taking_seat(bot, game.id, game.created_at, game.options):
                return _seated(table, invite)
        case _:
            raise invalid("body", "/house", "Give either `house` or `player`.")


def _may_invite(host: Player, bot: Player) -> bool:
    return bot.kind == "bot" and (bot.invitations == "anyone" or host.id in (bot.owner, bot.id))


def _seated(table: Table, command: SeatBot | InviteBot) -> Live:
    """Return the game with a bot on its seat, also when an earlier attempt has put it there."""
    game_id, play = table.live.game.id, current().play
    try:
        return play.execute(game_id, command).live
    except Refusal:
        live = play.live(game_id)
        holder = live.game.seats[command.seat]
        wanted = command.level if isinstance(command, SeatBot) else command.bot
        if not _is_again() or holder is None or wanted not in (holder.level, holder.player):
            raise
        return live


def _is_again() -> bool:
    """Return whether an earlier attempt at this request may have filled the seat, and died before it answered."""
    made = claim()
    return made is not None and made.is_again


def _wanted_seats(wanted: dict[str, Any], game: Game) -> range:
    seat = wanted.get("seat")
    return range(len(game.seats)) if seat is None else range(seat, seat + 1)


def _check_seat(table: Table, seat: int) -> None:
    """Refuse a seat in the address that the table does not have; the rules would point into a body."""
    seats = len(table.live.game.seats)
    if seat >= seats:
        detail = f"Seats are numbered 0 to {seats - 1}."
        raise Problem("seat_out_of_range", detail, errors=(FieldError("path", "seat", detail),))
