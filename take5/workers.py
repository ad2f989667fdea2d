"""`take5 worker` and `take5 clock`: the processes that move games on without a request."""

from __future__ import annotations

import sys
from collections.abc import Callable
from typing import Any

import click
import structlog

from service import logs
from service.store import fitness
from service.store.connect import Unavailable
from service.store.contract import Kind
from take5.ending import Ending
from take5.environment import settings_with_servers
from take5.scraping import scraped
from worker import clock as clocks, connection, process


def _metrics_options(command: Callable[..., Any]) -> Callable[..., Any]:
    host = click.option(
        "--metrics-host",
        envvar="TAKE5_METRICS_HOST",
        default="127.0.0.1",
        show_default=True,
        help="Where to listen for them.",
    )
    port = click.option(
        "--metrics-port",
        envvar="TAKE5_METRICS_PORT",
        type=click.IntRange(1, 65535),
        help="Serve /metrics of this process here, to who sends TAKE5_METRICS_TOKEN; else they are served nowhere.",
    )
    return port(host(command))


@click.command()
@click.option(
    "--queue",
    type=click.Choice(["turns", "bots"]),
    required=True,
    help="Whose jobs: `turns` resolves turns and keeps deadlines, `bots` plays the house bots.",
)
@_metrics_options
def worker(*, queue: Kind, metrics_host: str, metrics_port: int | None) -> None:
    """Do the jobs of one queue. Run as many as you like; run them so that they are started again when they end."""
    config = settings_with_servers()
    logs.configure(config.log_level)
    fitness.tell_soon(config.redis_url, config.queue_url)
    with scraped(metrics_host, metrics_port, config.metrics_token):
        try:
            process.work(queue, config)
        except Unavailable as error:
            structlog.get_logger(__name__).error("worker_ended", queue=queue, reason=error.reason)
            sys.exit(1)


@click.command()
@_metrics_options
def clock(*, metrics_host: str, metrics_port: int | None) -> None:
    """Send workers to the games that are due. One is enough, several do no harm."""
    config = settings_with_servers()
    logs.configure(config.log_level)
    fitness.tell_soon(config.redis_url, config.queue_url)
    at = connection.current()
    with scraped(metrics_host, metrics_port, config.metrics_token):
        clocks.run(at.store, at.queue, Ending().within)
