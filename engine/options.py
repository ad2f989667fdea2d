"""What a table agrees on before the start: the options of a game, whole and within their bounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

When: TypeAlias = Literal["reached", "exceeded"]
Visibility: TypeAlias = Literal["listed", "unlisted", "private"]
Reveal: TypeAlias = Literal["round", "game"]
PolicyName: TypeAlias = Literal["lowest_risk", "lowest_card", "highest_card", "random"]
PaceName: TypeAlias = Literal["bot", "blitz", "live", "slow", "untimed", "custom"]

POINTS: Final = (1, 1000)
"""Bounds of a points limit."""
ROUNDS: Final = (1, 100)
"""Bounds of a fixed number of rounds."""
DURATION_MS: Final = (500, 14 * 24 * 3_600_000)
"""Bounds of every time limit, in milliseconds: half a second to fourteen days."""


@dataclass(frozen=True, slots=True)
class PointsEnd:
    """The game ends after the round in which some total has `reached` or `exceeded` the points."""

    points: int
    when: When


@dataclass(frozen=True, slots=True)
class RoundsEnd:
    """The game ends after exactly this many rounds."""

    rounds: int


End: TypeAlias = PointsEnd | RoundsEnd


@dataclass(frozen=True, slots=True)
class Pace:
    """How long a seat may take for a card and for a row, in milliseconds; None is without limit."""

    name: PaceName
    turn_ms: int | None
    row_ms: int | None


PACES: Final[dict[str, Pace]] = {
    pace.name: pace
    for pace in (
        Pace("bot", 5_000, 5_000),
        Pace("blitz", 15_000, 10_000),
        Pace("live", 60_000, 30_000),
        Pace("slow", 24 * 3_600_000, 24 * 3_600_000),
        Pace("untimed", None, None),
    )
}
"""The paces a table may name instead of giving its own limits."""


@dataclass(frozen=True, slots=True)
class Options:
    """The resolved options of a game, as they stand in its log.

    `recommit`: a laid card may be changed until the reveal. `auto_last_card`: the service lays the last card of a hand.
    `on_timeout`: what lays a card for a seat that is late. `reveal`: whether hands are opened after each round or only
    after the game. `spectators`: whether somebody without a seat may watch.
    """

    ruleset: str
    seats: int
    end: End
    pace: Pace
    on_timeout: PolicyName = "lowest_risk"
    recommit: bool = False
    auto_last_card: bool = True
    reveal: Reveal = "round"
    visibility: Visibility = "listed"
    spectators: bool = True
