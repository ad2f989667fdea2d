"""The options of a game as JSON Schema, made from the engine's own bounds, and which of them do not fit each other."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final, get_args

from engine import options as engine, wire
from engine.resolve import DEFAULT_PACE, resolve
from engine.rulesets import RuleSet


@dataclass(frozen=True, slots=True)
class Conflict:
    """Options that do not fit each other, as the pointers under which they are refused, and a sentence that says so."""

    pointers: tuple[str, str]
    sentence: str
    applies: Callable[[RuleSet], bool]


def _always(rules: RuleSet) -> bool:
    return True


_NO_DRAFT: Final = "There is no draft in this rule set, so"

CONFLICTS: Final = (
    Conflict(
        ("/end/points", "/end/rounds"),
        "A game ends by points or by rounds, never by both.",
        _always,
    ),
    Conflict(
        ("/seats", "/ruleset"),
        "Not every number of seats can play this rule set; `seats` has its bounds.",
        lambda rules: rules.max_seats < engine.MOST_SEATS,
    ),
    Conflict(
        ("/first_drafter", "/ruleset"),
        f"{_NO_DRAFT} `first_drafter` stays 0.",
        lambda rules: not rules.drafts,
    ),
    Conflict(
        ("/rotate_drafter", "/ruleset"),
        f"{_NO_DRAFT} `rotate_drafter` stays false.",
        lambda rules: not rules.drafts,
    ),
    Conflict(
        ("/pace/draft_ms", "/ruleset"),
        f"{_NO_DRAFT} a pace of your own sets no `draft_ms`.",
        lambda rules: not rules.drafts,
    ),
    Conflict(
        ("/pace/bank_ms", "/pace/turn_ms"),
        "A time bank needs some time limit, of `turn_ms`, `row_ms` or `draft_ms`.",
        _always,
    ),
    Conflict(
        ("/first_drafter", "/seats"),
        "The first drafter is one of the seats: below `seats`, counted from 0.",
        lambda rules: rules.drafts,
    ),
    Conflict(
        ("/learning_rounds", "/ruleset"),
        "Learning rounds are played with the whole classic deck, so there are none before this rule set's game.",
        lambda rules: not rules.learning,
    ),
    Conflict(
        ("/learning_only", "/learning_rounds"),
        "`learning_only` needs `learning_rounds` of at least 1.",
        _always,
    ),
)
"""All conflicts; each applies to some rule sets."""


def conflicts(rules: RuleSet) -> tuple[Conflict, ...]:
    """Return the options that do not fit each other in a game of `rules`."""
    return tuple(conflict for conflict in CONFLICTS if conflict.applies(rules))


def options_schema(rules: RuleSet) -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of the options that a game of `rules` may be created with.

    What the schema accepts the engine accepts, and the other way round.
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "description": " ".join(conflict.sentence for conflict in conflicts(rules)),
        "required": ["ruleset", "seats"],
        "additionalProperties": False,
        "properties": {
            "ruleset": {"const": rules.name, "description": "The rule set."},
            "seats": {
                **_integer((rules.min_seats, rules.max_seats)),
                "description": "How many play; every seat must be taken before the start.",
            },
            "end": {
                "oneOf": [_POINTS_END, _ROUNDS_END],
                "default": wire.write(engine.End, rules.end),
                "description": "When the game ends, tested after each round: once a total has reached or exceeded so many "
                "points, or after so many rounds.",
            },
            "pace": _pace(rules),
            "on_timeout": _words(
                engine.PolicyName,
                "on_timeout",
                "What plays the card or the pick of a seat that is late or away.",
            ),
            "away_after_timeouts": {
                **_integer(engine.AWAY_AFTER),
                "type": ["integer", "null"],
                "default": _DEFAULTS["away_after_timeouts"],
                "description": "After so many late answers one after the other a seat is played for until its holder "
                "returns; null for never.",
            },
            "recommit": _flag("recommit", "Whether a laid card may be changed until the reveal."),
            "auto_last_card": _flag(
                "auto_last_card",
                "Whether the service lays the last card of each hand, which leaves no choice.",
            ),
            "row_policy": _words(
                engine.RowPolicy,
                "row_policy",
                "Whether the owner of a card that is too low is asked for a row, may also answer ahead with the card "
                "(`if_low`), or always takes the row with the fewest bullheads without being asked.",
            ),
            "reveal": _words(engine.Reveal, "reveal", "After what the hands are opened to all."),
            "visibility": _words(
                engine.Visibility,
                "visibility",
                "Who finds the game: everybody in lists, whoever has its id, or only those at it and who has its code.",
            ),
            "spectators": _flag("spectators", "Whether somebody without a seat may watch."),
            "votes": _flag(
                "votes",
                "Whether the table may vote: to deal the round anew, to abandon, to pause, to replace a seat.",
            ),
            **_drafting(rules),
            **_learning(rules),
        },
        "allOf": [_LEARNING_ONLY, *_first_drafters(rules)],
    }


_DEFAULTS: Final[dict[str, Any]] = wire.write(engine.Options, resolve({"ruleset": "classic", "seats": 2}))


def _integer(bounds: tuple[int, int]) -> dict[str, Any]:
    return {"type": "integer", "minimum": bounds[0], "maximum": bounds[1]}


def _object(optional: tuple[str, ...] = (), **members: dict[str, Any]) -> dict[str, Any]:
    required = [name for name in members if name not in optional]
    return {"type": "object", "required": required, "additionalProperties": False, "properties": members}


_POINTS_END: Final = _object(points=_integer(engine.POINTS), when={"enum": list(get_args(engine.When))})
_ROUNDS_END: Final = _object(rounds=_integer(engine.ROUNDS))
_DURATION: Final = {**_integer(engine.DURATION_MS), "type": ["integer", "null"]}
_LEARNING_ONLY: Final = {
    "if": {"properties": {"learning_only": {"const": True}}, "required": ["learning_only"]},
    "then": {"properties": {"learning_rounds": {"minimum": 1}}, "required": ["learning_rounds"]},
}


def _pace(rules: RuleSet) -> dict[str, Any]:
    draft_ms = _DURATION if rules.drafts else {"type": "null"}
    limits: dict[str, Any] = {"turn_ms": _DURATION, "row_ms": _DURATION, "draft_ms": draft_ms}
    bank_ms = {**_integer(engine.BANK_MS), "default": 0}
    custom = _object(("draft_ms", "bank_ms"), **limits, bank_ms=bank_ms) | {
        "if": {"properties": {name: {"type": "null"} for name in limits}},
        "then": {"properties": {"bank_ms": {"const": 0}}},
    }
    presets = "; ".join(f"{pace.name}: {_limits(pace)}" for pace in engine.PACES.values())
    return {
        "oneOf": [{"enum": list(engine.PACES)}, custom],
        "default": DEFAULT_PACE,
        "description": f"How long a seat may take; {presets}. In limits of your own, null is without limit"
        f"{', and a pick of the draft may take as long as a card without `draft_ms`' if rules.drafts else ''}. "
        "`bank_ms` is a time bank for each seat and the whole game: what an answer takes beyond its limit comes from there.",
    }


def _limits(pace: engine.Pace) -> str:
    if pace.turn_ms is None or pace.row_ms is None:
        return "no limit"
    return f"{pace.turn_ms // 1000} s a card, {pace.row_ms // 1000} s a row"


def _drafting(rules: RuleSet) -> dict[str, Any]:
    last = rules.max_seats - 1 if rules.drafts else 0
    return {
        "first_drafter": {
            **_integer((0, last)),
            "default": _DEFAULTS["first_drafter"],
            "description": "The seat that picks first; by the booklet the youngest player's.",
        },
        "rotate_drafter": {
            **_flag("rotate_drafter", "Whether the first pick moves one seat clockwise every round."),
            **({} if rules.drafts else {"const": False}),
        },
    }


def _first_drafters(rules: RuleSet) -> list[dict[str, Any]]:
    """Return, for each number of seats, that the first drafter is one of them."""
    if not rules.drafts:
        return []
    return [
        {
            "if": {"properties": {"seats": {"const": seats}}, "required": ["seats"]},
            "then": {"properties": {"first_drafter": {"maximum": seats - 1}}},
        }
        for seats in range(rules.min_seats, rules.max_seats)
    ]


def _learning(rules: RuleSet) -> dict[str, Any]:
    return {
        "learning_rounds": {
            **_integer(engine.LEARNING_ROUNDS if rules.learning else (0, 0)),
            "default": _DEFAULTS["learning_rounds"],
            "description": "Rounds before the game with all hands open, in which every placement is explained and nothing "
            "counts.",
        },
        "learning_only": _flag("learning_only", "Whether the game is over after the learning rounds."),
    }


def _flag(option: str, description: str) -> dict[str, Any]:
    return {"type": "boolean", "default": _DEFAULTS[option], "description": description}


def _words(choices: Any, option: str, description: str) -> dict[str, Any]:
    return {"enum": list(get_args(choices)), "default": _DEFAULTS[option], "description": description}
