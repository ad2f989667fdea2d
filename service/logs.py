"""How every process of the service writes its log: JSON lines on standard output, those of its libraries included."""

from __future__ import annotations

import logging
import sys
import traceback
from typing import Any, Final

import structlog

_COMMON: Final[list[Any]] = [
    structlog.contextvars.merge_contextvars,
    structlog.processors.add_log_level,
    structlog.processors.TimeStamper(fmt="iso", utc=True),
]


def configure(level: str) -> None:
    """Write the log of this process as JSON lines on standard output, from `level` (a name as in `Config`) up."""
    number = logging.getLevelNamesMapping()[level.upper()]
    structlog.configure(
        processors=[*_COMMON, structlog.processors.format_exc_info, structlog.processors.JSONRenderer()],
        wrapper_class=structlog.make_filtering_bound_logger(number),
        # A line and its end are written as one: other threads and processes write there, too.
        logger_factory=structlog.WriteLoggerFactory(),
        cache_logger_on_first_use=True,
    )
    handler = logging.StreamHandler(sys.stdout)
    handler.setFormatter(
        structlog.stdlib.ProcessorFormatter(
            foreign_pre_chain=[*_COMMON, structlog.stdlib.add_logger_name],
            processors=[
                structlog.stdlib.ProcessorFormatter.remove_processors_meta,
                structlog.processors.format_exc_info,
                structlog.processors.JSONRenderer(),
            ],
        )
    )
    logging.basicConfig(handlers=[handler], level=max(number, logging.INFO), force=True)


def described(error: BaseException) -> dict[str, Any]:
    """The kind of an error and where it was raised, for the log; not its words, for those may hold a card or a token."""
    return {
        "error": type(error).__name__,
        "at": [
            f"{frame.filename}:{frame.lineno} {frame.name}"
            for frame in traceback.extract_tb(error.__traceback__)
        ],
    }
