"""What hypothesis may choose about a game: seats, options, and who answers what."""

from __future__ import annotations

from typing import Any, Final

from hypothesis import HealthCheck, settings, strategies as st

from tests.rules.table import Step, played

ENDS: Final[tuple[dict[str, Any], ...]] = (
    {"rounds": 1},
    {"rounds": 2},
    {"points": 1, "when": "reached"},
    {"points": 12, "when": "exceeded"},
)
"""Conditions under which a game is over soon."""


class Played(list[Step]):
    """The steps of a whole game, which show themselves as what it takes to play it again."""

    def __init__(self, seed: int, seats: int, options: dict[str, Any]) -> None:
        super().__init__(played(seed, seats, **options))
        self._again = f"played({seed}, {seats}, **{options})"

    def __repr__(self) -> str:
        return self._again


@st.composite
def games(draw: st.DrawFn, max_seats: int = 10) -> Played:
    """A whole short game of random answers at any table."""
    options = {
        "ruleset": draw(st.sampled_from(("classic", "take5-us-2018", "category-5", "three-rounds"))),
        "end": draw(st.sampled_from(ENDS)),
        "recommit": draw(st.booleans()),
        "auto_last_card": draw(st.booleans()),
        "reveal": draw(st.sampled_from(("round", "game"))),
        "pace": draw(st.sampled_from(("untimed", "live"))),
    }
    return Played(draw(st.integers(0, 2**32)), draw(st.integers(2, max_seats)), options)


def examples(count: int) -> settings:
    """So many games, each as long as it takes."""
    return settings(max_examples=count, deadline=None, suppress_health_check=[HealthCheck.too_slow])
