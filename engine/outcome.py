"""Who won, and whether a game is over (rules, section 3)."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal, TypeAlias

from engine.options import End, RoundsEnd

Reason: TypeAlias = Literal["points", "rounds", "learning", "host_closed", "not_begun", "vote", "operator"]


@dataclass(frozen=True, slots=True)
class Standing:
    """A seat's place at the end: `rank` 1 is won or shared, ranks below are competition ranks (1 1 3)."""

    seat: int
    rank: int
    total_bullheads: int
    winner: bool


def is_over(end: End, totals: Sequence[int], rounds_done: int) -> bool:
    """Whether the end condition holds; asked only after a round."""
    if isinstance(end, RoundsEnd):
        return rounds_done >= end.rounds
    return max(totals) >= end.points if end.when == "reached" else max(totals) > end.points


def standings(totals: Sequence[int]) -> tuple[Standing, ...]:
    """Every seat's place, in seat order: the lowest total wins, ties share a rank."""
    return tuple(
        Standing(seat, rank := 1 + sum(other < total for other in totals), total, rank == 1)
        for seat, total in enumerate(totals)
    )
