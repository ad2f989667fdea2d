"""Creation that can be repeated: `Idempotency-Key` makes a second, same request get the first answer again.

What a view makes is named after the client's key and a salt that is kept for it, so a request that died half-way makes the
same thing when it is repeated.  Tokens come from there, too, and an answer is kept without its token: the same key brings
it back, while the store, which has only the salt and hashes, could not tell it to anybody.
"""

from __future__ import annotations

import hmac
import re
from base64 import b32encode
from collections.abc import Callable, Mapping
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass
from functools import wraps
from hashlib import sha256
from typing import Any, Final, ParamSpec

import structlog
from flask import Response, g, request

from engine.errors import Refusal
from service.apidoc import note
from service.auth import viewer
from service.bounds import KEY_CHARACTERS
from service.http.headers import request_id
from service.limiting import changing
from service.problems import FieldError, Problem
from service.services import current
from service.store import players
from service.store.connect import Unavailable
from service.store.idempotency import Answer, Fresh, Mismatch, Replay, Running, TooManyKeys

log = structlog.get_logger()

P = ParamSpec("P")
View = Callable[P, Response]

_KEY: Final = re.compile(rf"[!-~]{{1,{KEY_CHARACTERS}}}")
_LEAST_SECRET: Final = 22
"""128 bits in base64: a shorter key could be guessed, and would bring back somebody else's token."""
_KEPT_HEADERS: Final = ("Content-Type", "Location")
_NO_TOKEN: Final = b"t5_" + b"." * 43
"""Stands in a kept answer where its token was: no token has a dot, and no name is as long."""


@dataclass(frozen=True, slots=True)
class Claim:
    """The client's key and the salt kept for it: what the ids and tokens of this creation are derived from.

    `is_again` says that an earlier attempt at this creation may have succeeded, without its answer being kept.
    """

    key: str
    salt: bytes
    is_again: bool = False

    def token(self) -> str:
        """Return the token that this creation gives out."""
        return players.derived_token(self.key, self.salt)

    def player_id(self) -> str:
        """Return the id of the player that this creation makes."""
        return players.derived_player_id(self.key, self.salt)

    def digest(self, purpose: str) -> bytes:
        """Return 32 bytes for anything else that this creation makes, the same at every attempt."""
        return hmac.digest(self.key.encode(), purpose.encode() + b"/" + self.salt, "sha256")

    def new_id(self, prefix: str) -> str:
        """Return `prefix` and 26 small letters and digits, as in `new_id("g_")`."""
        return prefix + b32encode(self.digest(prefix)[:16]).decode().rstrip("=").lower()


def created_once(view: View[P]) -> View[P]:
    """Return the creating view made repeatable; stands directly above the function, below all other decorators.

    Only success is kept: a refused request has created nothing and is decided anew.  Inside the view `claim()` says what
    to derive ids from.  Raises Problem `idempotency_key_invalid`, `_reused` or `_running`.
    """
    return _repeatable(view, least=1)


def created_once_with_token(view: View[P]) -> View[P]:
    """Return the same for a view whose answer holds a new token, which a guessed key must not bring back."""
    return _repeatable(view, least=_LEAST_SECRET)


def claim() -> Claim | None:
    """Return what to derive ids from in a view that is created once; None when the client sent no key."""
    made: Claim | None = g.get("claim")
    return made


def _repeatable(view: View[P], least: int) -> View[P]:
    @wraps(view)
    def once(*args: P.args, **kwargs: P.kwargs) -> Response:
        key = _key(least)
        if key is None:
            with _counted(kwargs):
                return view(*args, **kwargs)
        kept, player = current().idempotency, viewer()
        try:
            begun = kept.begin(player.id if player else None, key, _fingerprint())
        except TooManyKeys as error:
            raise Problem("too_many_idempotency_keys", retry_after_ms=error.room_in_ms) from None
        match begun:
            case Replay(answer, salt):
                return _replay(answer, Claim(key, salt))
            case Running():
                raise Problem("idempotency_key_running", retry_after_ms=1000)
            case Mismatch():
                raise Problem("idempotency_key_reused")
            case Fresh():
                g.claim = Claim(key, begun.salt, begun.is_again)
        try:
            with _counted(kwargs):
                response = view(*args, **kwargs)
        except (Problem, Refusal):
            kept.abandon(begun)
            raise
        except BaseException:
            kept.suspend(begun)
            raise
        try:
            kept.finish(begun, _to_keep(response, g.claim))
        except Unavailable as error:  # it is done all the same
            log.warning("answer_not_kept", reason=error.reason, request_id=request_id())
        return response

    note(once, "repeatable", least)
    return once


def _counted(of_view: Mapping[str, Any]) -> AbstractContextManager[None]:
    """Count what a player makes in a game among the changes there; an answer that is given again is none."""
    player, game_id = viewer(), of_view.get("game_id")
    return changing(player.id, str(game_id)) if player and game_id else nullcontext()


def _key(least: int) -> str | None:
    key = request.headers.get("Idempotency-Key")
    if key is None or (_KEY.fullmatch(key) and len(key) >= least):
        return key
    detail = f"{least} to {KEY_CHARACTERS} printable ASCII characters, no spaces; take random ones."
    raise Problem("idempotency_key_invalid", errors=(FieldError("header", "Idempotency-Key", detail),))


def _fingerprint() -> str:
    """Return a digest of what the client asked for: the same key with anything else is a mistake."""
    asked = [request.method.encode(), request.full_path.encode(), request.get_data(cache=True)]
    return sha256(b"\0".join(asked)).hexdigest()


def _to_keep(response: Response, made: Claim) -> Answer:
    headers = {name: response.headers[name] for name in _KEPT_HEADERS if name in response.headers}
    return Answer(
        response.status_code, headers, response.get_data().replace(made.token().encode(), _NO_TOKEN)
    )


def _replay(answer: Answer, made: Claim) -> Response:
    body = answer.body.replace(_NO_TOKEN, made.token().encode())
    response = Response(body, answer.status, headers=dict(answer.headers))
    response.headers["Idempotent-Replayed"] = "true"
    return response
