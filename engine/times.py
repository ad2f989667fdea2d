"""Moments and durations: integer milliseconds inside, RFC 3339 with milliseconds and `Z` in JSON."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from typing import Final, NewType

Millis = NewType("Millis", int)
"""A moment: milliseconds since 1970-01-01T00:00:00Z."""

_EPOCH: Final = datetime(1970, 1, 1, tzinfo=UTC)


def rfc3339(moment: Millis) -> str:
    """The moment as text, such as 2026-01-01T12:00:00.000Z."""
    text = (_EPOCH + timedelta(milliseconds=moment)).isoformat(timespec="milliseconds")
    return text.removesuffix("+00:00") + "Z"


def parse(text: str) -> Millis:
    """The moment that `rfc3339` wrote as `text`; raises ValueError for any other form."""
    moment = datetime.strptime(text, "%Y-%m-%dT%H:%M:%S.%fZ").replace(tzinfo=UTC)
    millis = Millis(round((moment - _EPOCH) / timedelta(milliseconds=1)))
    if rfc3339(millis) != text:
        raise ValueError(f"not a moment in RFC 3339 with milliseconds and Z: {text!r}")
    return millis
