"""When a game is over, and who has won it."""

from __future__ import annotations

from typing import Final

from engine.options import End, PointsEnd, RoundsEnd
from engine.rulesets import RuleSet
from service.teaching.said import Said, can_be_learnt, said

_ENDS: Final = (
    Said("The end is looked for after each round, never within one; else the whole deck is shuffled again."),
    Said("The lowest total wins, also when it is past the limit itself. Who ties for it shares the win."),
    Said("After the rounds for learning all totals are 0; they are no rounds of the game.", can_be_learnt),
    Said("A table may agree on any other limit, or on a number of rounds."),
)


def ends(rules: RuleSet) -> list[str]:
    """Return how a game of these rules ends unless its table agrees on something else, and who wins."""
    first, *others = said(_ENDS, rules)
    return [_when(rules.end), first, *others]


def _when(end: End) -> str:
    match end:
        case PointsEnd(points, "reached"):
            return f"The game ends after the round in which some total is {points} or more."
        case PointsEnd(points, _):
            return f"The game ends after the round in which some total is more than {points}."
        case RoundsEnd(rounds):
            return (
                f"The game ends after {rounds} {'round' if rounds == 1 else 'rounds'}, whatever the totals."
            )
