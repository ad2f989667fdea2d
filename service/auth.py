"""Who is asking: bearer tokens, and nothing else, decide that.

`requires_player` and `accepts_player` mark a view; inside it `current_player()` and `viewer()` say who is there.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from functools import wraps
from typing import Final, ParamSpec, TypeVar

from flask import current_app, g, request

from service.apidoc import note, noted
from service.limiting import changing, count_as_stranger
from service.problems import Problem
from service.services import current
from service.store.moments import now
from service.store.players import Player, token_id

P = ParamSpec("P")
R = TypeVar("R")

CHALLENGE: Final = 'Bearer realm="take5"'
"""What a client is told to send."""
_TOKEN: Final = re.compile(r"t5_[A-Za-z0-9_-]{43}")


def requires_player(view: Callable[P, R]) -> Callable[P, R]:
    """Return the view for players only: without a valid token it answers 401."""

    @wraps(view)
    def guarded(*args: P.args, **kwargs: P.kwargs) -> R:
        g.player = _player_of_request()
        must_be_player()
        notes = noted(current_app.view_functions[request.endpoint or ""])
        if notes.get("changes") and not notes.get("repeatable"):  # those count where they are not repeated
            with changing(g.player.id, str(kwargs["game_id"])):
                return view(*args, **kwargs)
        return view(*args, **kwargs)

    note(guarded, "access", "required")
    return guarded


def accepts_player(view: Callable[P, R]) -> Callable[P, R]:
    """Return the view for everybody: without a token it is served to a spectator, with a wrong one it answers 401."""

    @wraps(view)
    def opened(*args: P.args, **kwargs: P.kwargs) -> R:
        g.player = _player_of_request()
        return view(*args, **kwargs)

    note(opened, "access", "optional")
    return opened


def current_player() -> Player:
    """Return the player whose token came with the request; only in a view that `requires_player`."""
    player: Player = g.player
    return player


def must_be_player() -> Player:
    """Return the player whose token came with the request; raises Problem `token_required` for a spectator."""
    player = viewer()
    if player is None:
        raise Problem("token_required", headers={"WWW-Authenticate": CHALLENGE})
    return player


def viewer() -> Player | None:
    """Return the player whose token came with the request, or None for a spectator."""
    player: Player | None = g.get("player")
    return player


def check_again() -> None:
    """Raise Problem `token_invalid` when the token of a request that was held has been revoked meanwhile."""
    token = bearer_token() if viewer() else None
    if token is not None and current().players.find(token) is None:
        raise _invalid()


def is_own_token(listed_id: str) -> bool:
    """Return whether the request came with the token that is listed under this id."""
    token = bearer_token()
    return token is not None and token_id(token) == listed_id


def bearer_token() -> str | None:
    """Return the well-formed token of the request, or None when there is no Authorization header.

    Raises Problem `token_invalid` for any header but `Bearer <token>`.
    """
    header = request.headers.get("Authorization")
    if header is None:
        return None
    scheme, _, token = header.partition(" ")
    if scheme.lower() != "bearer" or not _TOKEN.fullmatch(token):
        raise _invalid("Send `Authorization: Bearer t5_...` with the token as it was given to you.")
    return token


def _player_of_request() -> Player | None:
    token = bearer_token()
    if token is None:
        return None
    player = current().players.find(token, now())
    if player is None:
        raise _invalid()
    return player


def _invalid(detail: str = "") -> Problem:
    count_as_stranger()
    return Problem(
        "token_invalid", detail, headers={"WWW-Authenticate": f'{CHALLENGE}, error="invalid_token"'}
    )
