"""What it is all about."""

from __future__ import annotations

from typing import Final

from service.teaching.said import Said

GOAL: Final = (
    Said(
        "Lay cards into the rows without taking any: whoever takes a row takes its bullheads, and the fewest"
        " bullheads win."
    ),
)
