"""What `help` says at a table: the game as it is played there, in a few sentences, and the words to type."""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any

from engine.rulesets import RULESETS, RuleSet

_GAME = """\
Everybody lays a card, all are turned up together and placed from the lowest to the highest: each behind the nearest \
lower row end. Who lays card {one_too_many} of a row captures the {limit} before it. A card lower than all row ends takes a \
row of its owner's choice. Every captured card costs its bullheads; at the end the lowest total wins.
  bullheads of a card: 1, ends in 5: 2, tens: 3, elevens: 5, 55: 7.
  beside each name: bullheads of the rounds before + of this one."""
_JOKERS = """\
Jokers, J0 to J9, lie below 1 and are placed first. Whoever laid one appends it to a row that ends in a number, or takes \
a row with it: `2 append`, `2 take`. It costs 1 bullhead."""
_DRAFT = """\
First everybody picks a hand from the open deck, one card after the other. Type one card, or several: a plan, of which \
the first that is left is picked at each of your turns."""
_AS_NEEDED = "Only the cards from {low} to {high} are in play."
_LEARNING = """\
In a learning round all hands lie open, cards are laid one seat after the other, each placement is explained, and \
nothing counts."""
_AHEAD = "`37 low` lays 37 and says: should it be too low, take the row with the fewest bullheads."
_LAST = "The last card of a hand is laid for you."
_WORDS = """\
  ?                       what each of your cards would do now
  vote redeal, or abandon, pause, resume, replace 2
                          ask the table; everybody has to say yes
  back                    play on yourself, after the service has played for you
  resign                  give your seat to the house, and watch
  q                       leave the table"""


def text(options: dict[str, Any]) -> str:
    """The help at a table of these options, as they stand in its log."""
    return "\n".join(_paragraphs(options, RULESETS[options["ruleset"]]))


def _paragraphs(options: dict[str, Any], rules: RuleSet) -> Iterator[str]:
    yield _GAME.format(one_too_many=rules.row_limit + 1, limit=rules.row_limit)
    low, high = rules.deck_range(options["seats"])
    if rules.deck == "as_needed":
        yield _AS_NEEDED.format(low=low, high=high)
    if rules.drafts:
        yield _DRAFT
    if rules.jokers:
        yield _JOKERS
    if options.get("learning_rounds"):
        yield _LEARNING
    if options.get("row_policy") == "ahead":
        yield _AHEAD
    if options.get("auto_last_card", True):
        yield _LAST
    yield _WORDS
