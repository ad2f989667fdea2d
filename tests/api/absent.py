"""Every request in which something is named that may be somebody else's: once for what is not Eve's, once for nothing.

The table of routes is the list of cases. What stands in braces is to be filled in by whoever asks.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any, Final, NamedTuple

from flask import Flask

from service.apidoc import noted
from tests.api.documented import examples, operation_at, resolved

GAMES: Final = ("{lobby}", "{playing}", "{over}", "{unwatched}")
HIDDEN: Final[dict[str, tuple[str, ...]]] = {
    "game_id": GAMES,
    "game": GAMES,
    "bot_id": ("{bot}", "{ada}"),
    "token_id": ("{token}",),
    "key": ("r1.t1.s1.card", "r1.t1.s1.row"),
    "player": ("{ada}",),
    "code": ("{code}",),
}
"""Of everything that a path or a query may name: what there is, and is not for Eve."""
ABSENT: Final[dict[str, str]] = {
    "game_id": "{no_game}",
    "game": "{no_game}",
    "bot_id": "{nobody}",
    "token_id": "{no_token}",
    "key": "r1.t1.s9.card",
    "player": "{nobody}",
    "code": "{no_code}",
}
"""What there is not."""
OWN: Final[dict[str, str]] = {
    "game_id": "{own_game}",
    "bot_id": "{own_bot}",
    "token_id": "k_1",
    "key": "r1.t1.s0.card",
    "seat": "1",
}
"""What stands where the comparison is about something else."""
PUBLIC: Final = {"ruleset_id", "name", "path", "filename"}
"""What everybody may name."""


class Ask(NamedTuple):
    """One request, twice: for what is not Eve's, and for what is not there."""

    method: str
    hidden: str
    absent: str

    def __str__(self) -> str:
        """The request for what is hidden."""
        return f"{self.method} {self.hidden}"


def named(rule: str) -> list[str]:
    """Return the names of the arguments in the path of a rule."""
    return re.findall(r"<(?:[^:>]+:)?([^>]+)>", rule)


def asks(app: Flask) -> Iterator[Ask]:
    """Yield every request that there is."""
    for rule in sorted(app.url_map.iter_rules(), key=lambda rule: (rule.rule, sorted(rule.methods or ()))):
        path = re.sub(r"<(?:[^:>]+:)?([^>]+)>", r"<\1>", rule.rule)
        for method in sorted((rule.methods or set()) - {"HEAD", "OPTIONS"}):
            for name in named(rule.rule):
                for hidden in HIDDEN.get(name, ()):
                    yield Ask(method, _filled(path, name, hidden), _filled(path, name, ABSENT[name]))
            for name in sorted(_arguments(app, rule.endpoint) & HIDDEN.keys()):
                for hidden in HIDDEN[name]:
                    yield Ask(
                        method,
                        f"{_filled(path)}?{name}={hidden}",
                        f"{_filled(path)}?{name}={ABSENT[name]}",
                    )


def body_of(method: str, path: str) -> Any:
    """Return a body that the operation takes, so that it is not refused before it has looked."""
    operation = operation_at(method, path.partition("?")[0]) or {}
    content = resolved(operation.get("requestBody", {})).get("content", {})
    return next((examples(body)[0] for body in content.values()), None)


def _arguments(app: Flask, endpoint: str) -> set[str]:
    parameters = noted(app.view_functions[endpoint]).get("arguments", {}).get("parameters", [])
    return {
        name
        for parameter in parameters
        if parameter["in"] == "query"
        for name in parameter["schema"]().fields
    }


def _filled(path: str, name: str = "", value: str = "") -> str:
    """Return a path with the argument of that name, and what is Eve's own for the others."""
    for other in re.findall(r"<(\w+)>", path):
        path = path.replace(f"<{other}>", value if other == name else OWN[other])
    return path
