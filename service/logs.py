"""How every process of the service writes its log: JSON lines on standard output."""

from __future__ import annotations

import logging
import traceback
from typing import Any

import structlog


def configure(level: str) -> None:
    """Write the log of this process as JSON lines on standard output, from `level` (a name as in `Config`) up."""
    structlog.configure(
        processors=[
            structlog.processors.add_log_level,
            structlog.processors.TimeStamper(fmt="iso", utc=True),
            structlog.processors.format_exc_info,
            structlog.processors.JSONRenderer(),
        ],
        wrapper_class=structlog.make_filtering_bound_logger(logging.getLevelNamesMapping()[level.upper()]),
        cache_logger_on_first_use=True,
    )


def described(error: BaseException) -> dict[str, Any]:
    """The kind of an error and where it was raised, for the log; not its words, for those may hold a card or a token."""
    return {
        "error": type(error).__name__,
        "at": [
            f"{frame.filename}:{frame.lineno} {frame.name}"
            for frame in traceback.extract_tb(error.__traceback__)
        ],
    }
