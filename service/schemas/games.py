"""Bodies about games: their options, and games as they stand."""

from __future__ import annotations

from typing import Any, Final, get_args

import marshmallow as ma
from marshmallow import fields

from engine.options import PACES, PolicyName, Reveal, RowPolicy, Visibility
from engine.rulesets import PRO_STAGES, RULESETS, RuleSet
from service.schemas.base import AnswerSchema, PageQuery, Schema, page_of
from service.schemas.fields import Boolean, Choice, Id, Integer, QueryInteger, Timestamp
from service.schemas.holders import OwnerSchema
from service.schemas.options import options_schema
from service.schemas.rulesets import EndSchema
from service.schemas.views import STATUSES, StandingSchema, ViewSchema

_SEATS: Final = (
    min(rules.min_seats for rules in RULESETS.values()),
    max(rules.max_seats for rules in RULESETS.values()),
)
_WIDEST: Final[dict[str, Any]] = options_schema(
    RuleSet("any", "", RULESETS["classic"].end, *_SEATS, stages=PRO_STAGES)
)["properties"]
"""The options of all rule sets together, each within the bounds of the widest."""
CLIENT_SEED: Final = {
    "description": "Up to 64 hexadecimal digits of your own that take part in every deal: nobody can have foreseen them.",
    "pattern": "^[0-9a-fA-F]{0,64}$",
    "example": "8f14e45fceea167a",
}


ME: Final = "me"
"""Stands for the player who asks."""

ACCEPT_BOTS: Final = (
    "Whether you play with bots. Without it you do not get a seat where one sits, "
    "and none gets a seat where you sit."
)


def _option(name: str) -> fields.Raw:
    """Return the field of an option: documented by the engine's bounds, and checked by the engine alone."""
    known: dict[str, Any] = _WIDEST[name]
    if name == "ruleset":
        known = {"type": "string", "enum": list(RULESETS)}
    if name == "end":
        known = {
            "oneOf": known["oneOf"],
            "description": "By points or by rounds; the rule set's own, if missing.",
        }
    if "enum" in known:
        known = {"type": "string", **known}
    takes_null = "null" in known.get("type", ())
    if takes_null:
        known = {**known, "type": known["type"][0]}  # the field itself adds the null
    return fields.Raw(required=name in ("ruleset", "seats"), allow_none=takes_null, metadata=known)


def _change(option: fields.Raw) -> fields.Raw:
    """Return the field of an option in a change, where what is left out stays, so that there is no default."""
    known = {key: value for key, value in option.metadata.items() if key != "default"}
    return fields.Raw(allow_none=option.allow_none, metadata=known)


_OPTIONS: Final = {name: _option(name) for name in _WIDEST}


class NewGameSchema(Schema.from_dict(_OPTIONS, name="GameOptions")):  # type: ignore[misc]  # made from a table
    """The options of a new game, and whether you sit down at once."""

    seat_me = Boolean(load_default=True, metadata={"description": "Whether you take seat 0."})
    accept_bots = Boolean(load_default=False, metadata={"description": ACCEPT_BOTS})
    client_seed = fields.String(metadata=CLIENT_SEED)


class ChangeGameSchema(
    Schema.from_dict(  # type: ignore[misc]  # made from a table
        {name: _change(option) for name, option in _OPTIONS.items()},
        name="GameChanges",
    )
):
    """The options to change; those left out stay, but another `ruleset` brings its own `end`."""


class PaceSchema(AnswerSchema):
    """How long a seat may take, in milliseconds; null is without limit."""

    name = Choice(*PACES, "custom", required=True)
    turn_ms = Integer(1, required=True, allow_none=True)
    row_ms = Integer(1, required=True, allow_none=True)
    draft_ms = Integer(
        1,
        required=True,
        allow_none=True,
        metadata={"description": "For a pick of the draft; null is as long as for a card."},
    )
    bank_ms = Integer(
        0,
        required=True,
        metadata={
            "description": "Each seat's time bank: what an answer takes beyond its limit comes from there."
        },
    )


class OptionsSchema(AnswerSchema):
    """What a table has agreed on, whole."""

    ruleset = Choice(*RULESETS, required=True)
    seats = Integer(*_SEATS, required=True)
    end = fields.Nested(EndSchema, required=True)
    pace = fields.Nested(PaceSchema, required=True)
    on_timeout = Choice(*get_args(PolicyName), required=True)
    recommit = Boolean(required=True)
    auto_last_card = Boolean(required=True)
    reveal = Choice(*get_args(Reveal), required=True)
    visibility = Choice(*get_args(Visibility), required=True)
    spectators = Boolean(required=True)
    row_policy = Choice(*get_args(RowPolicy), required=True)
    away_after_timeouts = Integer(1, required=True, allow_none=True)
    votes = Boolean(required=True)
    first_drafter = Integer(0, required=True)
    rotate_drafter = Boolean(required=True)
    learning_rounds = Integer(0, required=True)
    learning_only = Boolean(required=True)


class GameSchema(ViewSchema):
    """A game as you see it, and what its table agreed on."""

    id = fields.String(required=True)
    host = fields.String(
        required=True, metadata={"description": "The player who may change, start and close it."}
    )
    created_at = Timestamp(required=True)
    options = fields.Nested(OptionsSchema, required=True)
    seed_commit = fields.String(
        required=True,
        metadata={
            "description": "SHA-256 of the secret from which every deal follows; the secret is shown after the game."
        },
    )
    join_code = fields.String(
        required=True,
        allow_none=True,
        metadata={
            "description": "Opens a private game to whoever has it; for the host and the seated, until the start."
        },
    )
    opened_at = Timestamp(
        required=True, allow_none=True, metadata={"description": "Since when the table waits for somebody."}
    )
    deadline = Timestamp(
        required=True, allow_none=True, metadata={"description": "Until when it will; null for ever."}
    )
    vote_deadline = Timestamp(
        required=True,
        allow_none=True,
        metadata={"description": "Until when the open vote waits for ballots; silence is no."},
    )
    next_vote_at = Timestamp(
        required=True,
        allow_none=True,
        metadata={"description": "No vote may be opened before; null when there was none yet."},
    )
    paused_until = Timestamp(
        required=True,
        allow_none=True,
        metadata={
            "description": "When a paused game goes on by itself, at the latest; null while it is not paused."
        },
    )
    rematch_of = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The game before this one at the same table; null for none."},
    )
    rematch = fields.String(
        required=True,
        allow_none=True,
        metadata={"description": "The next game of the same table, once somebody has asked for it."},
    )
    kept = fields.List(
        fields.String(allow_none=True),
        required=True,
        metadata={
            "description": "Of a rematch, for whom each seat is kept until `kept_until`; null for nobody. Else empty."
        },
    )
    kept_until = Timestamp(required=True, allow_none=True)


class SeatedSchema(AnswerSchema):
    """Somebody at the table, as a list shows them."""

    seat = Integer(0, required=True)
    player = fields.String(required=True, allow_none=True)
    name = fields.String(required=True)
    kind = Choice("human", "bot", "house", required=True)
    level = fields.String(required=True, allow_none=True)
    owner = fields.Nested(OwnerSchema, required=True, allow_none=True)
    accepts_bots = Boolean(required=True)


class GameSummarySchema(AnswerSchema):
    """A game in short."""

    id = fields.String(required=True)
    status = Choice(*STATUSES, required=True)
    host = fields.String(required=True)
    created_at = Timestamp(required=True)
    options = fields.Nested(OptionsSchema, required=True)
    seats = fields.List(
        fields.Nested(SeatedSchema, allow_none=True),
        required=True,
        metadata={"description": "Null where nobody sits."},
    )
    open_seats = Integer(0, required=True)
    round = Integer(0, required=True)
    turn = Integer(0, required=True)
    you = Integer(0, required=True, allow_none=True, metadata={"description": "Your seat; null for none."})
    standings = fields.List(
        fields.Nested(StandingSchema), required=True, metadata={"description": "Empty before the end."}
    )


GamePageSchema: Final = page_of(GameSummarySchema, "GamePage")


class GamesQuery(PageQuery):
    """Which games to list; all that are said must hold."""

    status = Choice(*STATUSES, metadata={"description": "Only games of this status."})
    ruleset = Choice(*RULESETS, metadata={"description": "Only games of this rule set."})
    open_seats = QueryInteger(
        0, _SEATS[1], metadata={"description": "Only games with at least so many free seats."}
    )
    player = Id(
        metadata={
            "description": "Only games in which this player holds a seat, or has given one up; `me` is you."
        }
    )
    code = fields.String(
        validate=ma.validate.Length(max=64),
        metadata={"description": "Only the game that has this join code, listed or not, until it starts."},
    )
