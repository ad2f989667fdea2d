"""How every process of the service writes its log: JSON lines on standard output."""

from __future__ import annotations

import logging

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
