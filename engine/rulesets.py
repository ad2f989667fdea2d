"""The rule sets as values: how many rows and cards, in which stages a game runs, how it ends; and options resolved by them.

A rule set is data. Adding one means adding a `RuleSet` here; what it does differently is a stage (`engine.stages`) or a
number, never a case elsewhere.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, fields
from typing import Any, Final, Literal, TypeAlias, get_args

from engine import options as bounds
from engine.cards import HIGHEST
from engine.errors import Refusal
from engine.options import End, Options, Pace, PointsEnd, PolicyName, Reveal, RoundsEnd, Visibility, When

StageName: TypeAlias = Literal[
    "finish",
    "start_round",
    "deal",
    "open_turn",
    "lay_last_cards",
    "reveal",
    "place",
    "close_turn",
    "score_round",
    "reveal_round",
    "seal",
]

CLASSIC_STAGES: Final[tuple[StageName, ...]] = get_args(StageName)
"""The stages of the classic game, in the order in which they are asked."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One way to play: `rows` rows of at most `row_limit` cards, `hand_size` cards a seat, and the stages in their order."""

    name: str
    title: str
    end: End
    min_seats: int = 2
    max_seats: int = 10
    rows: int = 4
    row_limit: int = 5
    hand_size: int = 10
    stages: tuple[StageName, ...] = CLASSIC_STAGES

    def deck_range(self, seats: int) -> tuple[int, int]:
        """The lowest and the highest number card in play for so many seats."""
        return 1, HIGHEST


RULESETS: Final[dict[str, RuleSet]] = {
    ruleset.name: ruleset
    for ruleset in (
        RuleSet("classic", "6 nimmt! / Take 5, to 66 bullheads", PointsEnd(66, "reached")),
        RuleSet("take5-us-2018", "Take 5 (US 2018), past 66 bullheads", PointsEnd(66, "exceeded")),
        RuleSet("category-5", "Category 5, past 74 bullheads", PointsEnd(74, "exceeded")),
        RuleSet("three-rounds", "Three rounds, whatever the totals", RoundsEnd(3)),
    )
}
"""Every rule set by its name. The presets that end otherwise than `classic` differ from it in their `end` alone."""

DEFAULT_PACE: Final = "live"


def ruleset(name: str) -> RuleSet:
    """The rule set of that name; refuses ruleset_unknown."""
    try:
        return RULESETS[name]
    except KeyError:
        detail = f"There is no rule set {name!r}; there are: {', '.join(RULESETS)}."
        raise Refusal("ruleset_unknown", detail, pointers=("/ruleset",)) from None


def resolve(request: Mapping[str, Any]) -> Options:
    """The whole options from the part that was asked for; refuses bad_options and ruleset_unknown with their pointers.

    `request` holds JSON values: `ruleset` and `seats`, and any further field of `Options`; `pace` is a preset's name or
    an object with `turn_ms` and `row_ms`.
    """
    unknown = sorted(set(request) - {field.name for field in fields(Options)})
    if unknown:
        raise _bad(f"There is no option {unknown[0]!r}.", f"/{unknown[0]}")
    rules = ruleset(_text(request, "ruleset", "classic"))
    return Options(
        ruleset=rules.name,
        seats=_integer(request.get("seats"), "/seats", rules.min_seats, rules.max_seats),
        end=_end(request["end"]) if "end" in request else rules.end,
        pace=_pace(request.get("pace", DEFAULT_PACE)),
        on_timeout=_one_of(request, "on_timeout", "lowest_risk", PolicyName),
        recommit=_flag(request, "recommit", default=False),
        auto_last_card=_flag(request, "auto_last_card", default=True),
        reveal=_one_of(request, "reveal", "round", Reveal),
        visibility=_one_of(request, "visibility", "listed", Visibility),
        spectators=_flag(request, "spectators", default=True),
    )


def _bad(detail: str, *pointers: str) -> Refusal:
    return Refusal("bad_options", detail, pointers=pointers)


def _integer(value: Any, pointer: str, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise _bad(f"{pointer[1:]} must be an integer from {low} to {high}.", pointer)
    return value


def _text(request: Mapping[str, Any], name: str, default: str) -> str:
    value = request.get(name, default)
    if not isinstance(value, str):
        raise _bad(f"{name} must be a string.", f"/{name}")
    return value


def _flag(request: Mapping[str, Any], name: str, *, default: bool) -> bool:
    value = request.get(name, default)
    if not isinstance(value, bool):
        raise _bad(f"{name} must be true or false.", f"/{name}")
    return value


def _one_of(request: Mapping[str, Any], name: str, default: str, choices: Any) -> Any:
    value = _text(request, name, default)
    if value not in get_args(choices):
        raise _bad(f"{name} must be one of: {', '.join(get_args(choices))}.", f"/{name}")
    return value


def _end(value: Any) -> End:
    match value:
        case {"points": points, "when": when, **rest} if not rest:
            if when not in get_args(When):
                raise _bad("when must be one of: reached, exceeded.", "/end/when")
            return PointsEnd(_integer(points, "/end/points", *bounds.POINTS), when)
        case {"rounds": rounds, **rest} if not rest:
            return RoundsEnd(_integer(rounds, "/end/rounds", *bounds.ROUNDS))
        case {"rounds": _, "points": _}:
            raise _bad("A game ends by points or by rounds, never by both.", "/end/points", "/end/rounds")
        case _:
            raise _bad('end must be {"points": n, "when": "reached" or "exceeded"} or {"rounds": n}.', "/end")


def _pace(value: Any) -> Pace:
    match value:
        case str() if value in bounds.PACES:
            return bounds.PACES[value]
        case {"turn_ms": turn_ms, "row_ms": row_ms, **rest} if not rest:
            return Pace("custom", _limit(turn_ms, "/pace/turn_ms"), _limit(row_ms, "/pace/row_ms"))
        case _:
            names = ", ".join(bounds.PACES)
            raise _bad(f'pace must be one of {names}, or {{"turn_ms": n, "row_ms": n}}.', "/pace")


def _limit(value: Any, pointer: str) -> int | None:
    return None if value is None else _integer(value, pointer, *bounds.DURATION_MS)
