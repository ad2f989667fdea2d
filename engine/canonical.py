"""Canonical JSON (RFC 8785) for what the log holds: objects with ASCII keys, arrays, strings, integers, booleans, null."""

from __future__ import annotations

import hashlib
import json
from typing import Any, Final

_encoder: Final = json.JSONEncoder(ensure_ascii=False, sort_keys=True, separators=(",", ":"), allow_nan=False)


def canonical(value: Any) -> bytes:
    """The one byte string of a JSON value without floats; raises UnicodeEncodeError for a lone surrogate."""
    return _encoder.encode(value).encode()


def digest(value: Any) -> str:
    """SHA-256 of the canonical form, in lower-case hexadecimal."""
    return hashlib.sha256(canonical(value)).hexdigest()
