"""What hypothesis may choose about a game: seats, options, and who answers what."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any, Final

from hypothesis import strategies as st

from engine.rulesets import RULESETS
from tests.rules.lively import lively
from tests.rules.table import Step, played

ENDS: Final[tuple[dict[str, Any], ...]] = (
    {"rounds": 1},
    {"rounds": 2},
    {"points": 1, "when": "reached"},
    {"points": 12, "when": "exceeded"},
)
"""Conditions under which a game is over soon."""


BANK: Final = {"turn_ms": 2000, "row_ms": None, "bank_ms": 5000}
"""A pace at which most are late, and have a time bank."""


class Played(list[Step]):
    """The steps of a whole game, which show themselves as what it takes to play it again."""

    def __init__(
        self, play: Callable[..., list[Step]], seed: int, seats: int, options: dict[str, Any]
    ) -> None:
        super().__init__(play(seed, seats, **options))
        self._again = f"{play.__name__}({seed}, {seats}, **{options})"

    def __repr__(self) -> str:
        return self._again


@st.composite
def tables(draw: st.DrawFn) -> dict[str, Any]:
    """The options of any table whose game is short."""
    rules = RULESETS[draw(st.sampled_from(sorted(RULESETS)))]
    options = {
        "ruleset": rules.name,
        "end": draw(st.sampled_from(ENDS)),
        "recommit": draw(st.booleans()),
        "auto_last_card": draw(st.booleans()),
        "reveal": draw(st.sampled_from(("round", "game"))),
        "pace": draw(st.sampled_from(("untimed", "blitz", "live", BANK))),
        "row_policy": draw(st.sampled_from(("ask", "ahead", "fewest_bullheads"))),
        "on_timeout": draw(st.sampled_from(("lowest_risk", "random"))),
        "away_after_timeouts": draw(st.sampled_from((None, 1, 2))),
    }
    if rules.drafts:
        options |= {"first_drafter": draw(st.integers(0, 1)), "rotate_drafter": draw(st.booleans())}
    elif rules.learning and draw(st.booleans()):
        options |= {"learning_rounds": 1, "learning_only": draw(st.booleans())}
    return options


@st.composite
def games(draw: st.DrawFn, max_seats: int = 10, *, quiet: bool = False) -> Played:
    """A whole short game at any table, of random answers, and often of all that people do beside playing."""
    options = draw(tables())
    seats = draw(st.integers(2, min(max_seats, RULESETS[options["ruleset"]].max_seats)))
    play = played if quiet or draw(st.booleans()) else lively
    return Played(play, draw(st.integers(0, 2**32)), seats, options)
