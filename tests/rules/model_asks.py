"""What tables the model is tried on, and how decisions of the engine and of the model are compared."""

from __future__ import annotations

from typing import Any

from hypothesis import strategies as st

from engine.decisions import Decision
from engine.rulesets import RULESETS
from tests.rules.model import Model
from tests.rules.model_cards import RULES, value

PACES: list[dict[str, Any]] = [
    {"turn_ms": None, "row_ms": None},
    {"turn_ms": 5000, "row_ms": 3000},
    {"turn_ms": 40_000, "row_ms": None, "bank_ms": 6000},
    {"turn_ms": 5000, "row_ms": 3000, "bank_ms": 20_000},
]


@st.composite
def requests(draw: st.DrawFn) -> dict[str, Any]:
    """What somebody may ask for who opens a table of at most four."""
    name = draw(st.sampled_from(sorted(RULES)))
    asked: dict[str, Any] = {
        "ruleset": name,
        "seats": draw(st.integers(2, 4)),
        "pace": dict(draw(st.sampled_from(PACES))),
        "recommit": draw(st.booleans()),
        "auto_last_card": draw(st.booleans()),
        "row_policy": draw(st.sampled_from(("ask", "ahead", "fewest_bullheads"))),
        "on_timeout": draw(st.sampled_from(("lowest_card", "highest_card"))),
        "away_after_timeouts": draw(st.sampled_from((None, 1, 2))),
        "votes": draw(st.integers(0, 4)) > 0,
        "learning_rounds": 0,
        "learning_only": False,
    }
    if draw(st.booleans()):
        asked["end"] = draw(st.sampled_from(({"rounds": 2}, {"points": 20, "when": "exceeded"})))
    if RULESETS[name].drafts:
        asked |= {"first_drafter": draw(st.integers(0, 1)), "rotate_drafter": draw(st.booleans())}
    elif RULESETS[name].learning and draw(st.booleans()):
        asked |= {"learning_rounds": 1, "learning_only": draw(st.booleans())}
    return asked


def asked(decision: Decision) -> tuple[str, int, Any, int | None]:
    """A decision as the model writes it: what, whose, from what, until when."""
    legal: Any = list(decision.cards) or [list(modes) for modes in decision.rows]
    return decision.key.kind, decision.seat, legal, decision.deadline


def deadline(model: Model, kind: str, number: int) -> int | None:
    """Until when that may be answered."""
    return model.vote.deadline if model.vote and kind == "ballot" else model.limit(number)


def sorted_owed(model: Model) -> list[tuple[str, int, Any, int | None]]:
    """What the model asks, with hands in order, and until when."""
    return [
        (
            kind,
            number,
            sorted(legal, key=value) if kind in ("card", "pick") else legal,
            deadline(model, kind, number),
        )
        for kind, number, legal in model.owed()
    ]
