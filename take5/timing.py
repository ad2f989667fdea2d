"""How long somebody has, in words."""

from __future__ import annotations

import time
from typing import Any

from engine.rulesets import RULESETS


def span(seconds: float) -> str:
    """A length of time, no more exact than one thinks of it: "15 s", "10 min", "24 h"."""
    for most, unit, per in ((120, "s", 1), (120 * 60, "min", 60)):
        if seconds < most:
            return f"{round(max(seconds, 0) / per)} {unit}"
    return f"{round(seconds / 3600)} h"


def pace(options: dict[str, Any]) -> str:
    """The sentence that says how long each answer may take at a table of these options; empty where no time is set."""
    limits = options["pace"]
    asked = {"to lay a card": limits["turn_ms"], "to choose a row": limits["row_ms"]}
    if RULESETS[options["ruleset"]].drafts:
        asked["to pick a card"] = limits["turn_ms"] if limits["draft_ms"] is None else limits["draft_ms"]
    timed = {what: span(limit / 1000) for what, limit in asked.items() if limit is not None}
    if not timed:
        return ""
    first, *others = [f"{limit} {what}" for what, limit in timed.items()]
    words = f"You have {first}" + "".join(f", {other}" for other in others)
    bank = f", and beyond that {span(limits['bank_ms'] / 1000)} in all" if limits["bank_ms"] else ""
    return f"{words}{bank}. Who is late is played for."


class Until:
    """The time that is left from now on."""

    def __init__(self, seconds: float | None) -> None:
        """Begin with so many seconds, or with no end when None."""
        self._end = None if seconds is None else time.monotonic() + seconds

    @property
    def is_up(self) -> bool:
        """Whether none is left."""
        return self._end is not None and time.monotonic() >= self._end

    def __str__(self) -> str:
        """As it stands behind a question: ", 15 s left", or nothing where there is no end."""
        return "" if self._end is None else f", {span(self._end - time.monotonic())} left"
