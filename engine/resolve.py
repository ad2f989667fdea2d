"""The whole options of a game from the part that was asked for, each within its bounds and all fitting together."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import fields
from typing import Any, Final, get_args

from engine import options as bounds, wire
from engine.errors import Refusal
from engine.options import (
    PACES,
    End,
    Options,
    Pace,
    PointsEnd,
    PolicyName,
    Reveal,
    RoundsEnd,
    RowPolicy,
    Visibility,
    When,
)
from engine.rulesets import RuleSet, ruleset

DEFAULT_PACE: Final = "live"
DEFAULT_AWAY_AFTER: Final = 2


def resolve(request: Mapping[str, Any]) -> Options:
    """The whole options from the part that was asked for; refuses bad_options and ruleset_unknown with their pointers.

    `request` holds JSON values: `ruleset` and `seats`, and any further field of `Options`; `pace` is a preset's name or
    an object with `turn_ms`, `row_ms` and perhaps `draft_ms` and `bank_ms`.
    """
    unknown = sorted(set(request) - {field.name for field in fields(Options)})
    if unknown:
        raise _bad(f"There is no option {unknown[0]!r}.", f"/{unknown[0]}")
    rules = ruleset(_text(request, "ruleset", "classic"))
    seats = _seats(request, rules)
    options = Options(
        ruleset=rules.name,
        seats=seats,
        end=_end(request["end"]) if "end" in request else rules.end,
        pace=_pace(request.get("pace", DEFAULT_PACE)),
        away_after_timeouts=_away_after(request.get("away_after_timeouts", DEFAULT_AWAY_AFTER)),
        first_drafter=_integer(request.get("first_drafter", 0), "/first_drafter", 0, bounds.MOST_SEATS - 1),
        learning_rounds=_integer(
            request.get("learning_rounds", 0), "/learning_rounds", *bounds.LEARNING_ROUNDS
        ),
        on_timeout=_one_of(request, "on_timeout", "lowest_risk", PolicyName),
        reveal=_one_of(request, "reveal", "round", Reveal),
        visibility=_one_of(request, "visibility", "listed", Visibility),
        row_policy=_one_of(request, "row_policy", "ask", RowPolicy),
        recommit=_flag(request, "recommit", default=False),
        auto_last_card=_flag(request, "auto_last_card", default=True),
        spectators=_flag(request, "spectators", default=True),
        votes=_flag(request, "votes", default=True),
        rotate_drafter=_flag(request, "rotate_drafter", default=False),
        learning_only=_flag(request, "learning_only", default=False),
    )
    _check_together(options, rules)
    return options


def changed(options: Options, wanted: Mapping[str, Any]) -> Options:
    """The options with those changed that are `wanted`, as in `resolve`, which says what is refused.

    The end goes with the rule set, unless it is wanted as well.
    """
    request = asked_for(options)
    if wanted.get("ruleset", options.ruleset) != options.ruleset:
        del request["end"]
    return resolve({**request, **wanted})


def asked_for(options: Options) -> dict[str, Any]:
    """The request that asks for just these options."""
    request: dict[str, Any] = wire.write(Options, options)
    pace = request["pace"]
    name = pace.pop("name")
    request["pace"] = name if name in PACES else pace
    return request


def _check_together(options: Options, rules: RuleSet) -> None:
    """Refuse options that do not fit each other, naming both."""
    if not rules.drafts:
        for name, unused in (("first_drafter", 0), ("rotate_drafter", False)):
            if getattr(options, name) != unused:
                raise _bad(
                    f"There is no draft in {rules.name}, so {name} says nothing.", f"/{name}", "/ruleset"
                )
        if options.pace.draft_ms is not None:
            raise _bad(f"There is no draft in {rules.name} to set a time for.", "/pace/draft_ms", "/ruleset")
    if options.first_drafter >= options.seats:
        detail = f"There is no seat {options.first_drafter} among {options.seats} to draft first."
        raise _bad(detail, "/first_drafter", "/seats")
    if options.learning_rounds and not rules.learning:
        detail = f"Learning rounds are played with the whole classic deck, and {rules.name} has another game."
        raise _bad(detail, "/learning_rounds", "/ruleset")
    if options.learning_only and not options.learning_rounds:
        detail = "A game for learning only needs learning_rounds of at least 1."
        raise _bad(detail, "/learning_only", "/learning_rounds")


def _bad(detail: str, *pointers: str) -> Refusal:
    return Refusal("bad_options", detail, pointers=pointers)


def _seats(request: Mapping[str, Any], rules: RuleSet) -> int:
    seats = request.get("seats")
    if type(seats) is int and rules.max_seats < seats <= bounds.MOST_SEATS:
        raise _bad(f"{rules.name} is played by {rules.min_seats} to {rules.max_seats}.", "/seats", "/ruleset")
    return _integer(seats, "/seats", rules.min_seats, rules.max_seats)


def _integer(value: Any, pointer: str, low: int, high: int) -> int:
    if type(value) is not int or not low <= value <= high:
        raise _bad(f"{pointer[1:]} must be an integer from {low} to {high}.", pointer)
    return value


def _away_after(value: Any) -> int | None:
    return None if value is None else _integer(value, "/away_after_timeouts", *bounds.AWAY_AFTER)


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
        case {"rounds": _, "points": _}:
            raise _bad("A game ends by points or by rounds, never by both.", "/end/points", "/end/rounds")
        case {"rounds": rounds}:
            _check_fields("/end", value, ("rounds",))
            return RoundsEnd(_integer(rounds, "/end/rounds", *bounds.ROUNDS))
        case {"points": _} | {"when": _}:
            _check_fields("/end", value, ("points", "when"))
            if value["when"] not in get_args(When):
                raise _bad("when must be one of: reached, exceeded.", "/end/when")
            return PointsEnd(_integer(value["points"], "/end/points", *bounds.POINTS), value["when"])
        case _:
            raise _bad('end must be {"points": n, "when": "reached" or "exceeded"} or {"rounds": n}.', "/end")


def _pace(value: Any) -> Pace:
    match value:
        case str() if value in bounds.PACES:
            return bounds.PACES[value]
        case {}:
            _check_fields("/pace", value, ("turn_ms", "row_ms"), ("draft_ms", "bank_ms"))
            limits = {
                name: _limit(value.get(name), f"/pace/{name}") for name in ("turn_ms", "row_ms", "draft_ms")
            }
            bank_ms = _integer(value.get("bank_ms", 0), "/pace/bank_ms", *bounds.BANK_MS)
            if bank_ms and not any(limits.values()):
                detail = "A time bank says nothing where no time is set."
                raise _bad(detail, "/pace/bank_ms", "/pace/turn_ms")
            return Pace("custom", **limits, bank_ms=bank_ms)
        case _:
            names = ", ".join(bounds.PACES)
            own = '{"turn_ms": n, "row_ms": n}, perhaps with draft_ms and bank_ms'
            raise _bad(f"pace must be one of {names}, or {own}.", "/pace")


def _check_fields(
    pointer: str, value: Mapping[str, Any], needed: tuple[str, ...], optional: tuple[str, ...] = ()
) -> None:
    """Refuse an object with a field that it cannot have, or without one that it needs."""
    known = ", ".join(needed) + (f", and perhaps {', '.join(optional)}" if optional else "")
    unknown = sorted(value.keys() - {*needed, *optional})
    if unknown:
        escaped = unknown[0].replace("~", "~0").replace("/", "~1")
        detail = f"{pointer[1:]} has no field {unknown[0]!r}; it consists of {known}."
        raise _bad(detail, f"{pointer}/{escaped}")
    missing = [name for name in needed if name not in value]
    if missing:
        detail = f"{pointer[1:]} lacks {' and '.join(missing)}; it consists of {known}."
        raise _bad(detail, *(f"{pointer}/{name}" for name in missing))


def _limit(value: Any, pointer: str) -> int | None:
    return None if value is None else _integer(value, pointer, *bounds.DURATION_MS)
