"""The routes, one module a resource; `BLUEPRINTS` lists all of them in the order of the document."""

from __future__ import annotations

from typing import Final

from service.api import docs, events, health, limits, players, rulesets
from service.http.blueprint import Blueprint

BLUEPRINTS: Final[tuple[Blueprint, ...]] = (
    players.blp,
    events.blp,
    rulesets.blp,
    limits.blp,
    health.blp,
    docs.blp,
)
