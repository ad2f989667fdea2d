"""Sentences that are true of some rule sets, with the numbers of the one that is taught filled in."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import Any, TypeAlias

from engine.rulesets import RuleSet

Feature: TypeAlias = Callable[[RuleSet], bool]
"""Whether something is true of a rule set."""


def always(rules: RuleSet) -> bool:
    """True of every rule set."""
    return True


def drafts(rules: RuleSet) -> bool:
    """The hands are picked from the open deck."""
    return rules.drafts


def deals(rules: RuleSet) -> bool:
    """The hands are dealt."""
    return not rules.drafts


def has_jokers(rules: RuleSet) -> bool:
    """There are Jokers in the hands."""
    return rules.jokers > 0


def uses_whole_deck(rules: RuleSet) -> bool:
    """All number cards are in play, however many play."""
    return rules.deck == "whole"


def uses_small_deck(rules: RuleSet) -> bool:
    """Only as many number cards are in play as the seats and the rows need."""
    return rules.deck == "as_needed"


def can_be_learnt(rules: RuleSet) -> bool:
    """Learning rounds may come before the game."""
    return rules.learning


@dataclass(frozen=True, slots=True)
class Said:
    """A sentence and the rule sets that it is true of; `{dealt}` and the like stand for their numbers."""

    text: str
    applies: Feature = always


def said(sentences: Iterable[Said], rules: RuleSet) -> list[str]:
    """Return the sentences that are true of a rule set, in order."""
    return [filled(one.text, rules) for one in sentences if one.applies(rules)]


def filled(text: str, rules: RuleSet) -> str:
    """Return a text with the numbers of a rule set."""
    return text.format_map(_numbers(rules))


def _numbers(rules: RuleSet) -> dict[str, Any]:
    return {
        "rows": rules.rows,
        "last_row": rules.rows - 1,
        "row_limit": rules.row_limit,
        "too_many": rules.row_limit + 1,
        "dealt": rules.dealt,
        "hand_size": rules.hand_size,
        "min_seats": rules.min_seats,
        "max_seats": rules.max_seats,
        "low": rules.deck_range(rules.max_seats)[0],
        "high": rules.deck_range(rules.max_seats)[1],
        "fewest": rules.deck_range(rules.min_seats)[1],
        "more_seats": rules.max_seats + 1,
    }
