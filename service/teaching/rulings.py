"""How we read the rules: what we decided where the printed ones are silent or differ, and what is often played wrong."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from engine.rulesets import RuleSet
from service.teaching.said import (
    Feature,
    always,
    can_be_learnt,
    drafts,
    filled,
    has_jokers,
    uses_whole_deck,
)


@dataclass(frozen=True, slots=True)
class Ruling:
    """What a ruling is about and what it says; `decided` where the booklets are silent or differ, so that we chose."""

    about: str
    ruling: str
    decided: bool = False
    applies: Feature = always


RULINGS: Final = (
    Ruling(
        "laying a card",
        "A laid card is final. Laying the same card again is accepted and changes nothing. With the option"
        " `recommit` a card may be changed until the reveal.",
        decided=True,
    ),
    Ruling(
        "placing",
        "Cards are placed one at a time in ascending order, each against the rows as they stand then: on the row"
        " with the highest end below the card. The owner has no choice.",
    ),
    Ruling(
        "a full row",
        "A card that would be number {too_many} takes the {row_limit} before it and starts the row again; it is not"
        " taken itself.",
    ),
    Ruling(
        "a low card",
        "The owner of a card below all row ends chooses any row after the reveal, when the card's turn comes, takes"
        " all its cards and starts the row with it. Later cards wait. At most one such choice is made in a turn,"
        " for its lowest number. A card whose only fitting row is full is not low.",
    ),
    Ruling(
        "choosing a row in advance",
        "With the option `row_policy` a table may let a seat take the cheapest row in advance, with its card"
        " (`ahead`), or have every low card take it without a question (`fewest_bullheads`). The booklets know only"
        " that the owner is asked.",
        decided=True,
    ),
    Ruling(
        "bullheads",
        "55 counts 7, any other multiple of 11 counts 5, a multiple of 10 counts 3, a card ending in 5 counts 2,"
        " any other counts 1.",
    ),
    Ruling("the stock", "Nothing is ever drawn from the cards that were not dealt.", applies=uses_whole_deck),
    Ruling(
        "the rows of a draft",
        "The {rows} cards that are left start the rows in ascending order, top to bottom.",
        decided=True,
        applies=drafts,
    ),
    Ruling(
        "the first drafter",
        "The booklet names the youngest player; the table names a seat with `first_drafter`, 0 if it does not. It"
        " is the same seat in every round, unless `rotate_drafter` moves it one seat clockwise.",
        decided=True,
        applies=drafts,
    ),
    Ruling(
        "plans",
        "A seat may plan its picks in advance. A plan is secret until the round is over, may be changed until the"
        " seat's next pick, and is gone with the draft.",
        decided=True,
        applies=drafts,
    ),
    Ruling(
        "more seats",
        "A draft is for {max_seats} at most; {more_seats} seats or more are refused.",
        applies=drafts,
    ),
    Ruling(
        "the turns of a round",
        "A hand has {hand_size} cards and a round as many turns, so that nothing is left over.",
        decided=True,
        applies=has_jokers,
    ),
    Ruling("a Joker's bullheads", "A Joker counts 1; one source says so.", decided=True, applies=has_jokers),
    Ruling(
        "Jokers side by side",
        "Two Jokers never lie side by side: a row that ends in a Joker can only be taken, and so can a full row.",
        applies=has_jokers,
    ),
    Ruling(
        "Jokers in a draft",
        "There is no draft with Jokers: no booklet has one.",
        decided=True,
        applies=has_jokers,
    ),
    Ruling(
        "the end",
        "The end is tested after a round only, never within it. Cards left in the rows or never dealt count for"
        " nobody.",
    ),
    Ruling(
        "66 bullheads",
        "The booklets differ: some end when a total has reached 66, one plays on at exactly 66. A table that says"
        " nothing plays by its rule set, and any table may choose.",
        decided=True,
    ),
    Ruling(
        "winning",
        "The lowest total wins, even when it is past the limit itself. A tie for the lowest is shared.",
    ),
    Ruling("places", "The places below the winners are competition ranks: 1, 1, 3.", decided=True),
    Ruling(
        "learning rounds",
        "Bullheads are counted and shown, but added to no total, and nobody wins. The starting seat moves on one seat"
        " clockwise every turn.",
        applies=can_be_learnt,
    ),
    Ruling(
        "a seat that is late",
        "A card, or a pick, is chosen for it by the table's policy; a row with the fewest bullheads, then the"
        " fewest cards, then the lowest number. The log says that it was automatic. After `away_after_timeouts`"
        " times running it is taken to be away.",
        decided=True,
    ),
    Ruling(
        "a Joker that is late",
        "It joins the cheapest row that it can join, and takes the cheapest row if it can join none.",
        decided=True,
        applies=has_jokers,
    ),
    Ruling(
        "the last card",
        "It leaves nothing to choose, so the service lays it, unless `auto_last_card` is off.",
        decided=True,
    ),
    Ruling(
        "agreeing",
        "Dealing a round anew, giving the game up, pausing it and replacing a seat need a yes of every seated"
        " person. Silence is no, one vote is open at a time, and after one that failed nobody may open another for"
        " a minute. Bots have no vote.",
        decided=True,
    ),
    Ruling(
        "giving a seat up",
        "A house bot plays on for who resigns or is replaced; the others go on, and the totals stay.",
        decided=True,
    ),
)


def rulings(rules: RuleSet) -> list[dict[str, Any]]:
    """Return the rulings that matter for a rule set."""
    return [
        {"about": one.about, "ruling": filled(one.ruling, rules), "decided": one.decided}
        for one in RULINGS
        if one.applies(rules)
    ]
