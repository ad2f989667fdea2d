"""Worked examples: a turn laid out, what is chosen, and what happens, placed by the rules themselves."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any, Final

from engine import wire
from engine.cards import Card, is_joker
from engine.rows import Mode
from engine.rulesets import RuleSet
from engine.simulate import Simulation, simulate

_ROW_LIMIT: Final = 5
"""How many cards a row holds in all of these examples."""


@dataclass(frozen=True, slots=True)
class Worked:
    """A turn: the rows, the card of each seat in seat order, the choices as (seat, row, mode), and what is to be seen."""

    name: str
    title: str
    rows: tuple[tuple[Card, ...], ...]
    cards: tuple[Card, ...]
    sentence: str
    choices: tuple[tuple[int, int, Mode], ...] = ()

    def fits(self, rules: RuleSet) -> bool:
        """Return whether such a turn can come in a game of these rules."""
        cards = [*self.cards, *(card for row in self.rows for card in row)]
        high = rules.deck_range(rules.max_seats)[1]
        return (
            (len(self.rows), _ROW_LIMIT) == (rules.rows, rules.row_limit)
            and len(self.cards) <= rules.max_seats
            and all(rules.jokers if is_joker(card) else int(card) <= high for card in cards)
        )


WORKED: Final = (
    Worked(
        "closest_row",
        "Each card goes to the closest lower end",
        ((12,), (37,), (43,), (58,)),
        (14, 15, 44, 61),
        "14 goes behind 12, and 15 behind that 14: the end was 12 when it was laid, and is 14 when it is placed. 44"
        " goes behind 43 and 61 behind 58. Nobody captures anything.",
    ),
    Worked(
        "sixth_card",
        "The sixth card takes the five before it",
        ((12, 18, 23), (40,), (61,), (89,)),
        (24, 25, 26, 90),
        "24 and 25 join row 0, which holds five cards then. 26 belongs there, too, and is one too many: seat 2"
        " captures 12, 18, 23, 24 and 25 for 6 bullheads, and 26 starts the row again.",
    ),
    Worked(
        "low_card",
        "A card that is too low takes a row",
        ((20,), (30, 31), (40,), (50,)),
        (5, 60),
        "5 is lower than 20, 31, 40 and 50. Its owner takes row 1, for 4 bullheads, and 5 starts it again. Then 60"
        " goes behind 50.",
        ((0, 1, "take"),),
    ),
    Worked(
        "choice_changes_the_rest",
        "What one seat takes, another may have counted on",
        ((57, 61), (33,), (41,), (10, 20, 30, 35, 42)),
        (62, 29),
        "29 is too low, and its owner takes row 0, for 2 bullheads. 62 would have gone behind 61, but that is gone:"
        " the closest lower end is 42 now, in a full row, so its owner captures that, for 12.",
        ((1, 0, "take"),),
    ),
    Worked(
        "full_row_is_not_low",
        "A card whose only row is full is not too low",
        ((2, 4, 6, 8, 9), (50,), (60,), (70,)),
        (10, 71),
        "10 is higher than one row end, 9, so there is nothing to choose, although that row is full: 10 is the"
        " sixth card, and its owner captures the five for 5 bullheads.",
    ),
    Worked(
        "dearest_row",
        "The dearest row there can be",
        ((11, 22, 33, 44, 55), (60,), (70,), (80,)),
        (56, 81),
        "56 is the sixth card behind 55, and captures 5 + 5 + 5 + 5 + 7, together 27 bullheads.",
    ),
    Worked(
        "waiting_for_a_row",
        "A turn that waits for a choice",
        ((57, 61), (33,), (41,), (10, 20, 30, 35, 42)),
        (62, 29),
        "29 is too low. Until its owner has taken a row nothing else is placed, not even 62, which seems to have"
        " its place.",
    ),
    Worked(
        "joker_joins",
        "A Joker joins a row, and changes no other card's way",
        ((17,), (40,), (60,), (80,)),
        ("J4", 18),
        "J4 is placed first, and its owner joins it to row 0, which ends in 17.4 then. 18 still goes there.",
        ((0, 0, "append"),),
    ),
    Worked(
        "joker_takes",
        "A Joker takes a row, and no number is too low any more",
        ((50, 51), (60,), (70,), (80,)),
        (1, "J4"),
        "The owner of J4 takes row 0, for 4 bullheads. Its end is 0.4 now, so even 1 fits behind it.",
        ((1, 0, "take"),),
    ),
    Worked(
        "several_jokers",
        "Several Jokers, the lowest first",
        ((10,), (20,), (40,), (50,)),
        ("J7", "J2", 30),
        "J2 is placed first and joins row 0. J7 may not lie beside it, and joins row 1, whose end is 20.7 then:"
        " still the closest below 30.",
        ((1, 0, "append"), (0, 1, "append")),
    ),
    Worked(
        "joker_makes_a_row_dearer",
        "A Joker fills a row, and makes it dearer",
        ((10, 11, 12, 13), (50,), (60,), (70,)),
        ("J0", 14),
        "J0 joins row 0 as its fifth card. 14 is the sixth, and captures the five for 11 bullheads, the Joker's"
        " among them.",
        ((0, 0, "append"),),
    ),
    Worked(
        "where_a_joker_can_go",
        "Where a Joker can go",
        ((10, "J0"), (20,), (1, 2, 3, 4, 5), (40,)),
        ("J5", 50),
        "J5 can join row 1 or row 3. Row 0 ends in a Joker and row 2 is full: these it can only take.",
    ),
)
"""The examples, from the simple to the rare."""


def examples(rules: RuleSet) -> list[dict[str, Any]]:
    """Return the worked examples that can come in a game of these rules, as JSON."""
    return [_told(one, rules) for one in WORKED if one.fits(rules)]


def _told(one: Worked, rules: RuleSet) -> dict[str, Any]:
    rows = [list(row) for row in one.rows]
    plays = [{"seat": seat, "card": card} for seat, card in enumerate(one.cards)]
    choices = [{"seat": seat, "row": row, "mode": mode} for seat, row, mode in one.choices]
    return {
        "name": one.name,
        "title": one.title,
        "rows": rows,
        "plays": plays,
        "choices": choices,
        "result": wire.write(Simulation, simulate(rules, rows, plays, choices)),
        "what_happens": one.sentence,
    }
