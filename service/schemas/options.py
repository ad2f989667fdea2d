"""The options of a game as JSON Schema, made from the engine's own bounds."""

from __future__ import annotations

from typing import Any, get_args

from engine import options as engine
from engine.resolve import DEFAULT_PACE
from engine.rulesets import RuleSet


def options_schema(rules: RuleSet) -> dict[str, Any]:
    """Return the JSON Schema (2020-12) of the options that a game of `rules` may be created with.

    What the schema accepts the engine accepts, and the other way round.
    """
    return {
        "$schema": "https://json-schema.org/draft/2020-12/schema",
        "type": "object",
        "required": ["ruleset", "seats"],
        "additionalProperties": False,
        "properties": {
            "ruleset": {"const": rules.name},
            "seats": _integer((rules.min_seats, rules.max_seats)),
            "end": {"oneOf": [_POINTS_END, _ROUNDS_END], "default": _end(rules)},
            "pace": {
                "oneOf": [{"enum": list(engine.PACES)}, _CUSTOM_PACE],
                "default": DEFAULT_PACE,
                "description": "How long a seat may take; "
                + "; ".join(f"{pace.name}: {_limits(pace)}" for pace in engine.PACES.values()),
            },
            "on_timeout": _words(
                engine.PolicyName, "on_timeout", "What lays the card of a seat that is late."
            ),
            "recommit": _flag("recommit", "Whether a laid card may be changed until the reveal."),
            "auto_last_card": _flag("auto_last_card", "Whether the service lays the last card of each hand."),
            "reveal": _words(engine.Reveal, "reveal", "After what the hands are opened."),
            "visibility": _words(engine.Visibility, "visibility", "Who can find the game."),
            "spectators": _flag("spectators", "Whether somebody without a seat may watch."),
        },
    }


def _integer(bounds: tuple[int, int]) -> dict[str, Any]:
    return {"type": "integer", "minimum": bounds[0], "maximum": bounds[1]}


def _object(**members: dict[str, Any]) -> dict[str, Any]:
    return {"type": "object", "required": list(members), "additionalProperties": False, "properties": members}


_POINTS_END = _object(points=_integer(engine.POINTS), when={"enum": list(get_args(engine.When))})
_ROUNDS_END = _object(rounds=_integer(engine.ROUNDS))
_DURATION = {**_integer(engine.DURATION_MS), "type": ["integer", "null"]}
_CUSTOM_PACE = _object(turn_ms=_DURATION, row_ms=_DURATION)


def _end(rules: RuleSet) -> dict[str, Any]:
    match rules.end:
        case engine.PointsEnd(points, when):
            return {"points": points, "when": when}
        case engine.RoundsEnd(rounds):
            return {"rounds": rounds}


def _limits(pace: engine.Pace) -> str:
    if pace.turn_ms is None or pace.row_ms is None:
        return "no limit"
    return f"{pace.turn_ms // 1000} s a card, {pace.row_ms // 1000} s a row"


def _default(option: str) -> Any:
    return engine.Options.__dataclass_fields__[option].default


def _flag(option: str, description: str) -> dict[str, Any]:
    return {"type": "boolean", "default": _default(option), "description": description}


def _words(choices: Any, option: str, description: str) -> dict[str, Any]:
    return {"enum": list(get_args(choices)), "default": _default(option), "description": description}
