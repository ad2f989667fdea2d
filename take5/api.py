"""`take5 api`: the HTTP service alone, in one process or several."""

from __future__ import annotations

import os
from contextlib import ExitStack
from importlib import import_module

import click

from take5.counting import SHARED, counted_together


@click.command()
@click.option("--host", envvar="TAKE5_HOST", default="127.0.0.1", show_default=True, help="Where to listen.")
@click.option("--port", envvar="TAKE5_PORT", type=click.IntRange(1, 65535), default=8000, show_default=True)
@click.option(
    "--processes", type=click.IntRange(1, 64), default=1, show_default=True, help="How many processes serve."
)
def api(*, host: str, port: int, processes: int) -> None:
    """Serve the HTTP API alone; workers and clock run beside it."""
    with ExitStack() as stack:
        if processes > 1:
            os.environ[SHARED] = stack.enter_context(counted_together())
        import_module("take5.server").serve(host, port, processes)  # only now: it begins to count
