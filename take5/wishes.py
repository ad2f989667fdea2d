"""The table that somebody wishes for on the command line, and what is said about a wish that the service refuses."""

from __future__ import annotations

import dataclasses
from typing import Any, Final

import click

from engine.options import Options, PointsEnd
from engine.rulesets import RULESETS
from take5 import typed
from take5.client import ApiProblem, Json
from take5.values import printable

_OTHERWISE: Final = frozenset({"ruleset", "seats", "end", "learning_rounds"})
"""What is wished for by options of the command itself."""
_OPTIONS: Final = tuple(field.name for field in dataclasses.fields(Options) if field.name not in _OTHERWISE)


class Option(click.ParamType[tuple[str, Any]]):
    """An option of the table as it is written on the command line."""

    name = "NAME=VALUE"

    def convert(
        self, value_: object, param: click.Parameter | None, ctx: click.Context | None
    ) -> tuple[str, Any]:
        """Its name and its value."""
        name, equals, written = str(value_).partition("=")
        if not name or not equals:
            self.fail(f"{value_!r} is no option; write recommit=true.", param, ctx)
        try:
            return name, typed.value(written)
        except ValueError as error:
            self.fail(f"What {name} is set to is no JSON: {error}.", param, ctx)


def table(asked: dict[str, Any], people: int, *, is_kept: bool) -> Json:
    """The options of the table that the person opens."""
    rules = RULESETS[asked["ruleset"]]
    wishes: Json = {"ruleset": rules.name, "seats": asked["seats"], **dict(asked["options"])}
    if asked["points"]:
        when = rules.end.when if isinstance(rules.end, PointsEnd) else "reached"
        wishes["end"] = {"points": asked["points"], "when": when}
    if asked["rounds"]:
        wishes["end"] = {"rounds": asked["rounds"]}
    if asked["learning"]:
        wishes["learning_rounds"] = asked["learning"]
    if people == 1:
        # Nobody waits but bots; a game that is left on somebody's server still has to end some day.
        wishes.setdefault("pace", "slow" if is_kept else "untimed")
    return wishes


def refused(problem: ApiProblem, options: tuple[tuple[str, Any], ...]) -> str:
    """What the service has against it, for who has written `options` and no JSON."""
    if not problem.errors:
        return printable(problem.detail or str(problem), 500)
    said = []
    for error in problem.errors:
        name, detail = str(error.get("pointer")).lstrip("/?"), str(error.get("detail"))
        if name in dict(options) and detail.startswith("Unknown field."):
            said.append(f"There is no option {name}; there are: {', '.join(_OPTIONS)}.")
        else:
            said.append(detail if name.partition("/")[0] in detail else f"{name}: {detail}")
    return printable(" ".join(dict.fromkeys(said)), 1000)
