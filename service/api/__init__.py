"""The routes, one module a resource; `BLUEPRINTS` lists all of them in the order of the document."""

from __future__ import annotations

from typing import Final

from service.api import (
    absences,
    bots,
    decisions,
    docs,
    events,
    frames,
    games,
    health,
    hints,
    limits,
    metrics,
    news,
    players,
    replays,
    rulesets,
    scores,
    seats,
    simulate,
    votes,
)
from service.http.blueprint import Blueprint

BLUEPRINTS: Final[tuple[Blueprint, ...]] = (
    players.blp,
    bots.blp,
    games.blp,
    seats.blp,
    decisions.blp,
    hints.blp,
    votes.blp,
    absences.blp,
    scores.blp,
    events.blp,
    news.blp,
    replays.blp,
    frames.blp,
    simulate.blp,
    rulesets.blp,
    limits.blp,
    health.blp,
    metrics.blp,
    docs.blp,
)
