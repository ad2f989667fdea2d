"""The rule sets as values: how many rows and cards, in which stages a game runs, how it ends.

A rule set is data. Adding one means adding a `RuleSet` here; what it does differently is a stage (`engine.stages`) or a
number, never a case elsewhere.
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Final, Literal, TypeAlias

from engine.cards import HIGHEST, JOKERS
from engine.errors import Refusal
from engine.options import End, PointsEnd, RoundsEnd

StageName: TypeAlias = Literal[
    "finish",
    "start_round",
    "deal",
    "open_draft",
    "pick_as_planned",
    "close_draft",
    "open_turn",
    "lay_last_cards",
    "reveal",
    "choose_ahead",
    "place",
    "close_turn",
    "score_round",
    "reveal_round",
    "seal",
    "call_seat",
    "lay_last_card",
    "explain",
    "place_one",
    "show_round",
]

CLASSIC_STAGES: Final[tuple[StageName, ...]] = (
    "finish",
    "start_round",
    "deal",
    "open_turn",
    "lay_last_cards",
    "reveal",
    "choose_ahead",
    "place",
    "close_turn",
    "score_round",
    "reveal_round",
    "seal",
)
"""The stages of the classic game, in the order in which they are asked."""

PRO_STAGES: Final[tuple[StageName, ...]] = (
    *CLASSIC_STAGES[: CLASSIC_STAGES.index("deal")],
    "open_draft",
    "pick_as_planned",
    "close_draft",
    *CLASSIC_STAGES[CLASSIC_STAGES.index("deal") + 1 :],
)
"""The classic game with a draft in the place of the deal."""

LEARNING_STAGES: Final[tuple[StageName, ...]] = (
    "finish",
    "start_round",
    "deal",
    "open_turn",
    "reveal",
    "call_seat",
    "lay_last_card",
    "choose_ahead",
    "explain",
    "place_one",
    "close_turn",
    "show_round",
    "reveal_round",
    "seal",
)
"""A learning round: one seat lays after the other, openly; each placement is explained, and nothing counts."""


@dataclass(frozen=True, slots=True)
class RuleSet:
    """One way to play: `rows` rows of at most `row_limit` cards, `dealt` number cards and `jokers` Jokers a seat.

    `stages` are asked in their order. `deck` says whether all number cards are in play, or only as many as the seats and
    rows need. `learning` says whether learning rounds can come before the game.
    """

    name: str
    title: str
    end: End
    min_seats: int = 2
    max_seats: int = 10
    rows: int = 4
    row_limit: int = 5
    dealt: int = 10
    jokers: int = 0
    deck: Literal["whole", "as_needed"] = "whole"
    learning: bool = True
    stages: tuple[StageName, ...] = CLASSIC_STAGES

    @property
    def hand_size(self) -> int:
        """The cards of a hand, which are the turns of a round."""
        return self.dealt + self.jokers

    @property
    def drafts(self) -> bool:
        """Whether the seats pick their hands from the open deck."""
        return "open_draft" in self.stages

    def deck_range(self, seats: int) -> tuple[int, int]:
        """The lowest and the highest number card in play for so many seats."""
        return 1, HIGHEST if self.deck == "whole" else self.dealt * seats + self.rows


RULESETS: Final[dict[str, RuleSet]] = {
    ruleset.name: ruleset
    for ruleset in (
        RuleSet("classic", "6 nimmt! / Take 5, to 66 bullheads", PointsEnd(66, "reached")),
        RuleSet("take5-us-2018", "Take 5 (US 2018), past 66 bullheads", PointsEnd(66, "exceeded")),
        RuleSet("category-5", "Category 5, past 74 bullheads", PointsEnd(74, "exceeded")),
        RuleSet("three-rounds", "Three rounds, whatever the totals", RoundsEnd(3)),
        RuleSet(
            "tactics",
            "Tactics: everybody knows which cards are in play",
            PointsEnd(66, "reached"),
            deck="as_needed",
            learning=False,
        ),
        RuleSet(
            "pro",
            "Pro: the hands are drafted from the open deck",
            PointsEnd(66, "reached"),
            max_seats=6,
            deck="as_needed",
            learning=False,
            stages=PRO_STAGES,
        ),
        RuleSet(
            "jokers",
            "Jokers: eleven cards, one of them a Joker",
            PointsEnd(66, "reached"),
            max_seats=len(JOKERS),
            jokers=1,
            learning=False,
        ),
    )
}
"""Every rule set by its name. The presets that end otherwise than `classic` differ from it in their `end` alone."""


def ruleset(name: str) -> RuleSet:
    """The rule set of that name; refuses ruleset_unknown."""
    try:
        return RULESETS[name]
    except KeyError:
        detail = f"There is no rule set {name!r}; there are: {', '.join(RULESETS)}."
        raise Refusal("ruleset_unknown", detail, pointers=("/ruleset",)) from None
