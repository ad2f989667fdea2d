"""Bots and who owns them: making one, its promises, its tokens, giving it up."""

from __future__ import annotations

from typing import Any

import orjson
from flask import Response

from engine.players import Owner
from service.api.players import token_page
from service.auth import current_player, requires_player
from service.http.answers import answer, created, represent
from service.http.blueprint import Blueprint
from service.http.creation import claim, created_once_with_token
from service.http.pages import page, read_cursor
from service.limiting import keeping
from service.problems import Problem
from service.profiles import shown_bot, shown_token
from service.schemas import bots as schemas, players as player_schemas
from service.schemas.base import PageQuery
from service.schemas.players import BOT_EXAMPLE, CREATED_BOT_EXAMPLE
from service.services import current, link
from service.store.moments import now
from service.store.players import (
    BOTS_MAX,
    FIRST_TOKEN,
    TOKENS_MAX,
    Player,
    TooManyBots,
    TooManyTokens,
    new_player_id,
    new_token,
)

blp = Blueprint("bots", __name__, description="Players that are programs of yours.")


@blp.route("/v1/me/bots", methods=["POST"])
@requires_player
@blp.arguments(schemas.NewBotSchema, example={"name": "lowest first", "max_concurrent": 10})
@blp.response(201, player_schemas.CreatedBotSchema, example=CREATED_BOT_EXAMPLE)
@blp.refuses("bots_own_nothing", "too_many_bots", "too_many_new_players")
@blp.leads_to("show_bot", {"bot_id": "$response.body#/player/id"})
@blp.leads_to("change_bot", {"bot_id": "$response.body#/player/id"})
@blp.leads_to("give_up_bot", {"bot_id": "$response.body#/player/id"})
@blp.leads_to("create_bot_token", {"bot_id": "$response.body#/player/id"})
@blp.leads_to("list_bot_tokens", {"bot_id": "$response.body#/player/id"})
@created_once_with_token
def create_bot(wanted: dict[str, Any]) -> Response:
    """Make a bot that is yours, and get its token.

    It is a player with a token of its own, and everybody at its tables sees that it is a bot, and whose. The token is
    shown this once.
    """
    owner, made = current_player(), claim()
    if owner.kind == "bot":
        raise Problem("bots_own_nothing")
    token = made.token() if made else new_token()
    bot = Player(
        made.player_id() if made else new_player_id(),
        wanted["name"],
        "bot",
        now(),
        owner.id,
        wanted["max_concurrent"],
        wanted["invitations"],
    )
    players = current().players
    with keeping("new_players", owner.id):
        try:
            players.own_bot(owner.id, bot.id, bot.created_ms)
        except TooManyBots:
            raise Problem("too_many_bots", f"You own {BOTS_MAX} bots; give one up first.") from None
        players.create(bot, token, FIRST_TOKEN)
    kept = players.get(bot.id) or bot  # made by an earlier attempt, where that died before it answered
    return created({"player": _shown(kept), "token": token}, link(f"/v1/me/bots/{bot.id}"))


@blp.route("/v1/me/bots")
@requires_player
@blp.arguments(PageQuery, location="query")
@blp.response(200, schemas.BotPageSchema, example={"items": [BOT_EXAMPLE], "next_cursor": None})
@blp.refuses("invalid_cursor")
@blp.leads_to("list_bots", {"cursor": "$response.body#/next_cursor"})
@blp.leads_to("show_bot", {"bot_id": "$response.body#/items/0/id"})
def list_bots(wanted: dict[str, Any]) -> Response:
    """List your bots, oldest first."""
    after = read_cursor(wanted.get("cursor"), int, str) or (-1, "")
    bots = [bot for bot in current().players.bots(current_player().id, now()) if _position(bot) > after]
    shown = bots[: wanted["limit"]]
    return page(map(_shown, shown), _position(shown[-1]) if len(shown) < len(bots) else None)


@blp.route("/v1/me/bots/<bot_id>")
@requires_player
@blp.response(200, player_schemas.BotSchema, example=BOT_EXAMPLE)
@blp.refuses("bot_not_found")
@blp.polled
def show_bot(bot_id: str) -> Response:
    """Show one of your bots."""
    return answer(lambda: represent(_shown(_own_bot(bot_id))))


@blp.route("/v1/me/bots/<bot_id>", methods=["PATCH"])
@requires_player
@blp.arguments(schemas.ChangeBotSchema, example={"name": "lowest last", "invitations": "anyone"})
@blp.response(200, player_schemas.BotSchema, example=BOT_EXAMPLE)
@blp.refuses("bot_not_found")
def change_bot(wanted: dict[str, Any], bot_id: str) -> Response:
    """Change the name of a bot, how many games it plays at a time, or who may invite it.

    It stays in the games that it plays already, under the name it had there.
    """
    _own_bot(bot_id)
    changed = current().players.change(
        bot_id,
        name=wanted.get("name"),
        most_games=wanted.get("max_concurrent"),
        invitations=wanted.get("invitations"),
    )
    if changed is None:
        raise Problem("bot_not_found")
    return Response(orjson.dumps(_shown(changed)), content_type="application/json")


@blp.route("/v1/me/bots/<bot_id>", methods=["DELETE"])
@requires_player
@blp.response(204)
@blp.refuses("bot_not_found")
def give_up_bot(bot_id: str) -> Response:
    """Give a bot up: all its tokens end at once, and there is no such player any more.

    Games that it sits in go on without it: the service answers for it when its time is up.
    """
    _own_bot(bot_id)
    players = current().players
    players.remove(bot_id)
    players.disown_bot(current_player().id, bot_id)
    return Response(status=204)


@blp.route("/v1/me/bots/<bot_id>/tokens", methods=["POST"])
@requires_player
@blp.arguments(player_schemas.NewTokenSchema, example={"name": "second host"})
@blp.response(201, player_schemas.CreatedTokenSchema, example=player_schemas.CREATED_TOKEN_EXAMPLE)
@blp.refuses("bot_not_found", "too_many_tokens")
@blp.leads_to("revoke_bot_token", {"bot_id": "$request.path.bot_id", "token_id": "$response.body#/id"})
@created_once_with_token
def create_bot_token(wanted: dict[str, Any], bot_id: str) -> Response:
    """Get one more token for a bot of yours, to replace one or because all are lost; it is shown this once."""
    _own_bot(bot_id)
    made = claim()
    secret = made.token() if made else new_token()
    try:
        token = current().players.issue(bot_id, secret, wanted["name"], now())
    except TooManyTokens:
        raise Problem("too_many_tokens", f"The bot has {TOKENS_MAX} tokens; revoke one first.") from None
    except LookupError:  # given up a moment ago
        raise Problem("bot_not_found") from None
    location = link(f"/v1/me/bots/{bot_id}/tokens/{token.id}")
    return created({**shown_token(token), "token": secret}, location)


@blp.route("/v1/me/bots/<bot_id>/tokens")
@requires_player
@blp.arguments(PageQuery, location="query")
@blp.response(
    200,
    player_schemas.TokenPageSchema,
    example={"items": [player_schemas.TOKEN_EXAMPLE | {"own": False}], "next_cursor": None},
)
@blp.refuses("bot_not_found", "invalid_cursor")
@blp.leads_to("list_bot_tokens", {"bot_id": "$request.path.bot_id", "cursor": "$response.body#/next_cursor"})
def list_bot_tokens(wanted: dict[str, Any], bot_id: str) -> Response:
    """List the tokens of a bot of yours, oldest first."""
    return token_page(wanted, lambda: current().players.tokens(_own_bot(bot_id).id))


@blp.route("/v1/me/bots/<bot_id>/tokens/<token_id>", methods=["DELETE"])
@requires_player
@blp.response(204)
@blp.refuses("bot_not_found", "token_not_found")
def revoke_bot_token(bot_id: str, token_id: str) -> Response:
    """Revoke a token of a bot of yours at once; also the last, since you can make another."""
    if not current().players.revoke(_own_bot(bot_id).id, token_id, last=True):
        raise Problem("token_not_found")
    return Response(status=204)


def _own_bot(bot_id: str) -> Player:
    """Return a bot of the player who asks; raises Problem `bot_not_found` for any other player, and for none."""
    bot = current().players.get(bot_id)
    if bot is None or bot.owner != current_player().id:
        raise Problem("bot_not_found")
    return bot


def _shown(bot: Player) -> dict[str, Any]:
    owner = current_player()
    return shown_bot(bot, Owner(owner.id, owner.name))


def _position(bot: Player) -> tuple[int, str]:
    return bot.created_ms, bot.id
