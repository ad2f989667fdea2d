"""What a table agrees on before the start: the options of a game, whole and within their bounds."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

When: TypeAlias = Literal["reached", "exceeded"]
Visibility: TypeAlias = Literal["listed", "unlisted", "private"]
Reveal: TypeAlias = Literal["round", "game"]
PolicyName: TypeAlias = Literal["lowest_risk", "lowest_card", "highest_card", "random"]
RowPolicy: TypeAlias = Literal["ask", "ahead", "fewest_bullheads"]
IfLow: TypeAlias = Literal["fewest_bullheads"]
"""A row choice made in advance, with the card."""

PaceName: TypeAlias = Literal["bot", "blitz", "live", "slow", "untimed", "custom"]

MOST_SEATS: Final = 10
"""More sit at no table."""
POINTS: Final = (1, 1000)
"""Bounds of a points limit."""
ROUNDS: Final = (1, 100)
"""Bounds of a fixed number of rounds."""
LEARNING_ROUNDS: Final = (0, 5)
"""Bounds of the rounds that are played openly before the game."""
AWAY_AFTER: Final = (1, 20)
"""Bounds of the answers that may be late, one after the other, before a seat is taken for away."""
DURATION_MS: Final = (500, 14 * 24 * 3_600_000)
"""Bounds of every time limit, in milliseconds: half a second to fourteen days."""
BANK_MS: Final = (0, DURATION_MS[1])
"""Bounds of a seat's time bank, in milliseconds."""


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
    """How long a seat may take for a card and for a row, in milliseconds; None is without limit.

    `draft_ms` is for a card of the draft; None is as long as for a card. `bank_ms` is each seat's time bank for the whole
    game: what an answer takes beyond its limit comes from there, and a seat is late once its bank is empty.
    """

    name: PaceName
    turn_ms: int | None
    row_ms: int | None
    draft_ms: int | None = None
    bank_ms: int = 0

    @property
    def pick_ms(self) -> int | None:
        """How long a pick of the draft may take."""
        return self.turn_ms if self.draft_ms is None else self.draft_ms


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
    after the game. `spectators`: whether somebody without a seat may watch. `row_policy`: whether the owner of a low card is
    asked for a row, may answer ahead with the card, or takes the cheapest. `away_after_timeouts`: after so many late
    answers one after the other a seat is played for until its holder returns. `votes`: whether the table may vote.
    `first_drafter` and `rotate_drafter`: which seat drafts first, and whether that moves on each round.
    `learning_rounds`: open rounds before the game that do not count; `learning_only`: nothing comes after them.

    The defaults are what a log of the first version means, where these options do not stand in it.
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
    row_policy: RowPolicy = "ask"
    away_after_timeouts: int | None = None
    votes: bool = False
    first_drafter: int = 0
    rotate_drafter: bool = False
    learning_rounds: int = 0
    learning_only: bool = False

    @property
    def is_listed(self) -> bool:
        """Whether everybody finds the game in lists."""
        return self.visibility == "listed"
