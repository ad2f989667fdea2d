"""The routes, one module a resource; `BLUEPRINTS` lists all of them in the order of the document."""

from __future__ import annotations

from typing import Final

from service.api import decisions, docs, events, games, health, limits, players, rulesets, seats
from service.http.blueprint import Blueprint

BLUEPRINTS: Final[tuple[Blueprint, ...]] = (
    players.blp,
    games.blp,
    seats.blp,
    decisions.blp,
    events.blp,
    rulesets.blp,
    limits.blp,
    health.blp,
    docs.blp,
)
