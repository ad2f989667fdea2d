"""Bodies about players and their tokens."""

from __future__ import annotations

from typing import Final

from marshmallow import fields

from service.schemas.base import AnswerSchema, Schema, page_of
from service.schemas.fields import Boolean, Choice, Integer, Name, Timestamp
from service.schemas.limits import LIMITS_EXAMPLE, LimitsSchema
from service.store.players import TOKENS_MAX

_KINDS: Final = ("human", "bot")


class NewPlayerSchema(Schema):
    """Who wants to play."""

    name = Name(required=True)
    kind = Choice(
        *_KINDS, required=True, metadata={"description": "A person at some front end, or a program."}
    )


class PlayerSchema(AnswerSchema):
    """Who may hold seats."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    kind = Choice(*_KINDS, required=True)
    created_at = Timestamp(required=True)


class CreatedPlayerSchema(AnswerSchema):
    """A new player and the first token, which is shown this once."""

    player = fields.Nested(PlayerSchema, required=True)
    token = fields.String(required=True)


class MeSchema(PlayerSchema):
    """Your own profile."""

    active_games = fields.List(
        fields.String(),
        required=True,
        metadata={"description": "Your games that are not over, newest first."},
    )
    has_more_games = fields.Boolean(
        required=True, metadata={"description": "Whether you have more active games than are listed here."}
    )
    tokens_most = Integer(
        1, required=True, metadata={"description": "How many tokens you may hold at a time."}
    )
    limits = fields.Nested(LimitsSchema, required=True)


class RenameSchema(Schema):
    """A new name for yourself; games keep the name that you had when you sat down."""

    name = Name(required=True)


class NewTokenSchema(Schema):
    """One more token."""

    name = Name(load_default="token", metadata={"description": "What you want to remember it by."})


class TokenSchema(AnswerSchema):
    """What can be shown of a token."""

    id = fields.String(required=True)
    name = fields.String(required=True)
    created_at = Timestamp(required=True)
    last_used_at = Timestamp(
        required=True,
        allow_none=True,
        metadata={"description": "Rounded down to the minute; null for never."},
    )
    own = Boolean(required=True, metadata={"description": "Whether it is the one that you ask with."})


class RevokeQuery(Schema):
    """Whether you mean it."""

    own = Choice(
        "true", metadata={"description": "Revoke it even if it is the token that this request comes with."}
    )


class CreatedTokenSchema(TokenSchema):
    """A new token, which is shown this once."""

    token = fields.String(required=True)


TokenPageSchema: Final = page_of(TokenSchema, "TokenPage")

_TOKEN: Final = "t5_h3Zb0Yx6m1pKQ9vT4sWcD8rN2uLfJ7aGe5iOkXoBqMw"  # noqa: S105  # shown in the document, good for nothing
PLAYER_EXAMPLE: Final = {
    "id": "p_6dkq2vxn4tq3m5whzr7yb2c4ae",
    "name": "Ada",
    "kind": "human",
    "created_at": "2026-01-01T12:00:00.000Z",
}
CREATED_PLAYER_EXAMPLE: Final = {"player": PLAYER_EXAMPLE, "token": _TOKEN}
ME_EXAMPLE: Final = {
    **PLAYER_EXAMPLE,
    "active_games": ["g_5rwm3xk2nq7tz4yvb6cdha2eui"],
    "has_more_games": False,
    "tokens_most": TOKENS_MAX,
    "limits": LIMITS_EXAMPLE,
}
TOKEN_EXAMPLE: Final = {
    "id": "k_0f3a5c7e9b1d2846",
    "name": "laptop",
    "created_at": "2026-01-01T12:00:00.000Z",
    "last_used_at": "2026-01-02T08:31:00.000Z",
    "own": True,
}
CREATED_TOKEN_EXAMPLE: Final = {**TOKEN_EXAMPLE, "last_used_at": None, "own": False, "token": _TOKEN}
