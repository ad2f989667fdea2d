"""Players, their profile and their tokens."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import orjson
from flask import Response

from service.api.limits import limits_of
from service.auth import current_player, is_own_token, requires_player
from service.http.answers import answer, created, represent
from service.http.blueprint import Blueprint
from service.http.creation import claim, created_once_with_token
from service.http.pages import page, read_cursor
from service.limiting import keeping
from service.problems import Problem
from service.profiles import owner_of, position, shown_bot, shown_player, shown_token
from service.schemas import players as schemas
from service.schemas.base import PAGE_MOST, PageQuery
from service.services import current, link
from service.store.moments import now
from service.store.players import (
    BOTS_MAX,
    FIRST_TOKEN,
    TOKENS_MAX,
    LastToken,
    Player,
    Token,
    TooManyTokens,
    new_player_id,
    new_token,
)

blp = Blueprint("players", __name__, description="Who plays: players, their profile and their tokens.")


@blp.route("/v1/players", methods=["POST"])
@blp.arguments(schemas.NewPlayerSchema, example={"name": "Ada", "kind": "human"})
@blp.response(201, schemas.CreatedPlayerSchema, example=schemas.CREATED_PLAYER_EXAMPLE)
@blp.refuses("too_many_new_players")
@created_once_with_token
def create_player(wanted: dict[str, Any]) -> Response:
    """Become a player, and get a token.

    The token is shown this once: keep it, for it is all that proves who you are. An `Idempotency-Key` must be secret here,
    with at least 22 random characters, since whoever knows it can have the answer again.
    """
    made = claim()
    token = made.token() if made else new_token()
    player = Player(
        id=made.player_id() if made else new_player_id(),
        name=wanted["name"],
        kind=wanted["kind"],
        created_ms=now(),
    )
    players = current().players
    with keeping("new_players"):
        players.create(player, token, FIRST_TOKEN)
    kept = players.get(player.id) or player  # made by an earlier attempt, where that died before it answered
    return created({"player": shown_player(kept, None), "token": token}, link("/v1/me"))


@blp.route("/v1/me")
@requires_player
@blp.response(200, schemas.MeSchema, example=schemas.ME_EXAMPLE)
@blp.polled
def show_me() -> Response:
    """Show your profile, your active games and the limits in force for you."""
    return answer(lambda: represent(_me(current_player())))


@blp.route("/v1/me", methods=["PATCH"])
@requires_player
@blp.arguments(schemas.RenameSchema, example={"name": "Ada L."})
@blp.response(200, schemas.MeSchema, example=schemas.ME_EXAMPLE)
def rename_me(wanted: dict[str, Any]) -> Response:
    """Change your name."""
    renamed = current().players.change(current_player().id, name=wanted["name"])
    return Response(orjson.dumps(_me(renamed or current_player())), content_type="application/json")


@blp.route("/v1/me/tokens", methods=["POST"])
@requires_player
@blp.arguments(schemas.NewTokenSchema, example={"name": "laptop"})
@blp.response(201, schemas.CreatedTokenSchema, example=schemas.CREATED_TOKEN_EXAMPLE)
@blp.refuses("too_many_tokens")
@blp.leads_to("revoke_token", {"token_id": "$response.body#/id"})
@created_once_with_token
def create_token(wanted: dict[str, Any]) -> Response:
    """Get one more token, for another device or to replace one.

    It is shown this once. Any number of clients may use one token at the same time.
    """
    made = claim()
    secret = made.token() if made else new_token()
    try:
        token = current().players.issue(current_player().id, secret, wanted["name"], now())
    except TooManyTokens:
        raise Problem("too_many_tokens", f"You hold {TOKENS_MAX} tokens; revoke one first.") from None
    return created({**shown_token(token), "token": secret}, link(f"/v1/me/tokens/{token.id}"))


@blp.route("/v1/me/tokens")
@requires_player
@blp.arguments(PageQuery, location="query")
@blp.response(200, schemas.TokenPageSchema, example={"items": [schemas.TOKEN_EXAMPLE], "next_cursor": None})
@blp.refuses("invalid_cursor")
@blp.leads_to("list_tokens", {"cursor": "$response.body#/next_cursor"})
def list_tokens(wanted: dict[str, Any]) -> Response:
    """List your tokens, oldest first; of each what can be shown."""
    return token_page(wanted, lambda: current().players.tokens(current_player().id))


@blp.route("/v1/me/tokens/<token_id>", methods=["DELETE"])
@requires_player
@blp.arguments(schemas.RevokeQuery, location="query")
@blp.response(204)
@blp.refuses("token_not_found", "last_token", "own_token")
def revoke_token(wanted: dict[str, Any], token_id: str) -> Response:
    """Revoke one of your tokens; it is good for nothing from that moment on, and requests that are held with it end.

    The token that the request comes with is revoked only with `own=true`. Your last token stays: without any nobody could
    act for you again.
    """
    players, player = current().players, current_player()
    if is_own_token(token_id) and "own" not in wanted:
        raise Problem("own_token" if len(players.tokens(player.id)) > 1 else "last_token")
    try:
        revoked = players.revoke(player.id, token_id)
    except LastToken:
        raise Problem("last_token") from None
    if not revoked:
        raise Problem("token_not_found")
    return Response(status=204)


def token_page(wanted: dict[str, Any], tokens: Callable[[], list[Token]]) -> Response:
    """Return one page of somebody's tokens."""
    after = read_cursor(wanted.get("cursor"), int, str) or (-1, "")
    left = [token for token in tokens() if position(token) > after]
    shown = left[: wanted["limit"]]
    return page(map(shown_token, shown), position(shown[-1]) if len(shown) < len(left) else None)


def _me(player: Player) -> dict[str, Any]:
    services = current()
    games = services.players.games_of(player.id, PAGE_MOST + 1, of="active")
    return {
        **shown_bot(player, owner_of(player)),
        "active_games": [game for _, game in games[:PAGE_MOST]],
        "has_more_games": len(games) > PAGE_MOST,
        "tokens_most": TOKENS_MAX,
        "bots_most": BOTS_MAX,
        "limits": limits_of(services.config),
    }
