"""Words for what a table does beside playing cards: votes, absences, and rounds with open hands."""

from __future__ import annotations

from typing import Literal, TypeAlias

Table: TypeAlias = Literal["hidden", "open"]
"""Whether hands and laid cards are secret, as in the game, or lie open, as in a learning round."""

VoteKind: TypeAlias = Literal["redeal", "abandon", "pause", "resume", "replace"]
Ballot: TypeAlias = Literal["yes", "no"]
VoteReason: TypeAlias = Literal["all_yes", "a_no", "time_up", "moot"]
WhyAway: TypeAlias = Literal["asked", "timeouts"]

ExplainCode: TypeAlias = Literal["closest_row", "row_full", "too_low", "joker"]
"""Why a card goes where it goes: its closest row has room, is full; no row end is lower; a Joker's owner chooses."""
