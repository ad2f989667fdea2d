"""Processes that are counted together, for `/metrics`: in a directory that lasts as long as whoever made it.

`service.metrics` may only be imported once the environment names that directory; so it must not be in here.
"""

from __future__ import annotations

import os
import shutil
from collections.abc import Iterator
from contextlib import contextmanager
from tempfile import mkdtemp
from typing import Final

SHARED: Final = "PROMETHEUS_MULTIPROC_DIR"
"""The environment variable that names the directory; it is the library's own."""


@contextmanager
def counted_together() -> Iterator[str]:
    """Give the directory that the environment names, or one that is there while the block lasts.

    A child that is forked meanwhile and leaves the block as well leaves the directory alone.
    """
    if named := os.environ.get(SHARED):
        yield named
        return
    made, owner = mkdtemp(prefix="take5-metrics-"), os.getpid()
    try:
        yield made
    finally:
        if os.getpid() == owner:
            shutil.rmtree(made, ignore_errors=True)
