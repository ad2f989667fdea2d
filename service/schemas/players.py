"""Bodies about players and their tokens."""

from __future__ import annotations

from typing import Final, get_args

from marshmallow import fields

from service.schemas.base import AnswerSchema, Schema, page_of
from service.schemas.fields import Boolean, Choice, Integer, Name, Timestamp
from service.schemas.holders import OwnerSchema
from service.schemas.limits import LIMITS_EXAMPLE, LimitsSchema
from service.store.players import BOTS_MAX, TOKENS_MAX, Invitations

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
    owner = fields.Nested(
        OwnerSchema,
        required=True,
        allow_none=True,
        metadata={
            "description": "Whose bot it is; null for a person, and for a bot that signed up by itself."
        },
    )
    created_at = Timestamp(required=True)


class BotSchema(PlayerSchema):
    """A bot, as its owner sees it."""

    max_concurrent = Integer(
        1,
        required=True,
        allow_none=True,
        metadata={"description": "How many games it plays at a time; null where nothing was promised."},
    )
    invitations = Choice(
        *get_args(Invitations),
        required=True,
        metadata={"description": "Who may seat it at a table of theirs."},
    )


class CreatedPlayerSchema(AnswerSchema):
    """A new player and the first token, which is shown this once."""

    player = fields.Nested(PlayerSchema, required=True)
    token = fields.String(required=True)


class CreatedBotSchema(AnswerSchema):
    """A new bot and its first token, which is shown this once."""

    player = fields.Nested(BotSchema, required=True)
    token = fields.String(required=True)


class MeSchema(BotSchema):
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
    bots_most = Integer(1, required=True, metadata={"description": "How many bots you may own at a time."})
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
    "owner": None,
    "created_at": "2026-01-01T12:00:00.000Z",
}
BOT_EXAMPLE: Final = {
    "id": "p_2c7mzx5rq4nwk3vtyhe6jgd2sa",
    "name": "lowest first",
    "kind": "bot",
    "owner": {"player": PLAYER_EXAMPLE["id"], "name": "Ada"},
    "created_at": "2026-01-01T12:00:00.000Z",
    "max_concurrent": 10,
    "invitations": "owner",
}
CREATED_BOT_EXAMPLE: Final = {"player": BOT_EXAMPLE, "token": _TOKEN}
CREATED_PLAYER_EXAMPLE: Final = {"player": PLAYER_EXAMPLE, "token": _TOKEN}
ME_EXAMPLE: Final = {
    **PLAYER_EXAMPLE,
    "max_concurrent": None,
    "invitations": "owner",
    "active_games": ["g_5rwm3xk2nq7tz4yvb6cdha2eui"],
    "has_more_games": False,
    "tokens_most": TOKENS_MAX,
    "bots_most": BOTS_MAX,
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
