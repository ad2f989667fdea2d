"""Moments and durations: integer milliseconds inside, RFC 3339 with milliseconds and `Z` in JSON."""

from __future__ import annotations

from contextlib import suppress
from datetime import UTC, datetime, timedelta
from typing import Final, NewType

Millis = NewType("Millis", int)
"""A moment: milliseconds since 1970-01-01T00:00:00Z."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)
_MILLISECOND: Final = timedelta(milliseconds=1)


def rfc3339(moment: Millis) -> str:
    """The moment as text, such as 2026-01-01T12:00:00.000Z."""
    text = (_EPOCH + timedelta(milliseconds=moment)).isoformat(timespec="milliseconds")
    return text.removesuffix("+00:00") + "Z"


def parse(text: str) -> Millis:
    """The moment that `rfc3339` wrote as `text`; raises ValueError for any other form."""
    # Not strptime: it has one lock for all threads, at which hundreds of readers of logs queued up.
    with suppress(ValueError):
        moment = datetime.fromisoformat(text)
        if moment.tzinfo is UTC:
            millis = Millis((moment - _EPOCH) // _MILLISECOND)
            if rfc3339(millis) == text:
                return millis
    raise ValueError(f"not a moment in RFC 3339 with milliseconds and Z: {text!r}")
