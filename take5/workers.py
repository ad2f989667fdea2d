"""`take5 worker` and `take5 clock`: the processes that move games on without a request."""

from __future__ import annotations

import click

from service import logs
from service.store.contract import Kind
from take5.ending import Ending
from take5.environment import settings_with_servers
from worker import clock as clocks, connection, process


@click.command()
@click.option(
    "--queue",
    type=click.Choice(["turns", "bots"]),
    required=True,
    help="Whose jobs: `turns` resolves turns and keeps deadlines, `bots` plays the house bots.",
)
def worker(*, queue: Kind) -> None:
    """Do the jobs of one queue. Run as many as you like; run them so that they are started again when they end."""
    config = settings_with_servers()
    logs.configure(config.log_level)
    process.work(queue, config)


@click.command()
def clock() -> None:
    """Send workers to the games that are due. One is enough, several do no harm."""
    config = settings_with_servers()
    logs.configure(config.log_level)
    at = connection.current()
    clocks.run(at.store, at.queue, Ending().within)
