"""What somebody meant who wrote a name that nobody knows."""

from __future__ import annotations

from collections.abc import Iterable
from difflib import get_close_matches
from typing import Final

_LONGEST: Final = 40
"""Comparing takes time with the square of the length; no name of ours is longer."""


def meant(name: str, known: Iterable[str]) -> str | None:
    """Return which of the `known` names `name` is most likely to stand for; None where it is like none of them."""
    if len(name) > _LONGEST:
        return None
    return next(iter(get_close_matches(name, sorted(known), n=1)), None)
