"""Players and their tokens as they are shown."""

from __future__ import annotations

from typing import Any

from engine.players import Owner
from engine.times import Millis, rfc3339
from service.auth import is_own_token
from service.services import current
from service.store.players import Player, Token


def owner_of(player: Player) -> Owner | None:
    """Return whose bot a player is, by the name that the owner has now; None for who is nobody's."""
    owner = current().players.get(player.owner) if player.owner else None
    return Owner(owner.id, owner.name) if owner else None


def shown_player(player: Player, owner: Owner | None) -> dict[str, Any]:
    """Return what can be shown of a player."""
    return {
        "id": player.id,
        "name": player.name,
        "kind": player.kind,
        "owner": owner and owner._asdict(),
        "created_at": rfc3339(Millis(player.created_ms)),
    }


def shown_bot(bot: Player, owner: Owner | None) -> dict[str, Any]:
    """Return what a bot's owner is shown of it."""
    return {
        **shown_player(bot, owner),
        "max_concurrent": bot.most_games,
        "invitations": bot.invitations,
    }


def shown_token(token: Token) -> dict[str, Any]:
    """Return what can be shown of a token."""
    return {
        "id": token.id,
        "name": token.name,
        "created_at": rfc3339(Millis(token.created_ms)),
        "last_used_at": None if token.used_ms is None else rfc3339(Millis(token.used_ms)),
        "own": is_own_token(token.id),
    }


def position(token: Token) -> tuple[int, str]:
    """Return what tokens are ordered by in lists."""
    return token.created_ms, token.id
