"""`take5 serve`: the whole service on this machine, its stores included, until it is told to end."""

from __future__ import annotations

import errno
import os
import socket
import time
from collections.abc import Mapping
from contextlib import ExitStack
from pathlib import Path

import click

from service.config import without_secrets
from service.store.child import ServerFailed
from service.store.embedded import Embedded, Fsync, Urls, embedded
from take5.child import Child
from take5.counting import SHARED, counted_together
from take5.ending import Ending
from take5.environment import settings
from take5.progress import Progress
from take5.ready import is_ready

_LOOK_S = 0.1
_STORE_PAUSE_S = 1.0
_LISTENING_HINTS = {
    errno.EADDRINUSE: " Another may be free: say --port, or set TAKE5_PORT.",
    errno.EACCES: " Ports from 1024 on are for everybody: say --port, or set TAKE5_PORT.",
}
_ONE_PROCESS_S = ("TAKE5_METRICS_HOST", "TAKE5_METRICS_PORT")
"""Settings for one worker or clock, whose metrics the API shows here; several could not listen on one port."""


@click.command()
@click.option("--host", envvar="TAKE5_HOST", default="127.0.0.1", show_default=True, help="Where to listen.")
@click.option("--port", envvar="TAKE5_PORT", type=click.IntRange(1, 65535), default=8000, show_default=True)
@click.option(
    "--data",
    envvar="TAKE5_DATA",
    type=click.Path(file_okay=False, path_type=Path),
    default=Path("data"),
    show_default="data, below the current directory",
    help="Where the games are kept; they are found again at the next start.",
)
@click.option(
    "--fsync",
    type=click.Choice(["always", "everysec", "no"]),
    default="always",
    show_default=True,
    help="When a move is on the disk: before it is answered, within a second, or whenever the system likes.",
)
def serve(*, host: str, port: int, data: Path, fsync: Fsync) -> None:
    """Serve everything: API, workers, clock and stores.

    Stores of its own, unless TAKE5_REDIS_URL and TAKE5_QUEUE_URL name others. Whatever dies is started again. Ctrl-C ends
    all of it in order.
    """
    config = settings()
    _check_free(host, port)
    ending = Ending()
    with ExitStack() as stack:
        with Progress("reading the games") as progress:
            try:
                servers = stack.enter_context(
                    embedded(data, fsync=fsync, games_url=config.redis_url, queue_url=config.queue_url)
                )
            except ServerFailed as error:
                raise click.ClickException(str(error)) from error
            counted = stack.enter_context(counted_together())
            children = _children(host, port, _environment(servers.urls, counted))
            for child in children:
                stack.callback(child.stop)  # the last to start is the first to stop
                child.start()
            progress.say("starting the service")
            url = _url(host, port)
            while not ending.within(_LOOK_S / 2) and not is_ready(url):
                _tend(servers, children)
        if not ending.asked:
            kept = without_secrets(config.redis_url) or f"{data.resolve()}{os.sep}"
            click.echo(
                f"Take 5 is served on {url}; Ctrl-C ends it.\n  documentation  {url}/docs\n  games          {kept}"
            )
        while not ending.within(_LOOK_S):
            _tend(servers, children)
        click.echo("Ending; the games stay.")


def _check_free(host: str, port: int) -> None:
    try:
        socket.getaddrinfo(host, port)
    except socket.gaierror as error:
        raise click.ClickException(f"There is no address {host} to listen on: {error.strerror}.") from error
    family = socket.AF_INET6 if ":" in host else socket.AF_INET
    try:
        socket.create_server((host, port), family=family).close()
    except OSError as error:
        hint = _LISTENING_HINTS.get(error.errno or 0, "")
        raise click.ClickException(
            f"Cannot listen on {host} port {port}: {os.strerror(error.errno or 0)}.{hint}"
        ) from error


def _environment(urls: Urls, counted: str) -> Mapping[str, str]:
    """What the children find in their environment: ours, with the stores; a quiet log unless it was set.

    What they count is added up in the directory `counted`.
    """
    return {
        "TAKE5_LOG_LEVEL": "warning",
        **{name: value for name, value in os.environ.items() if name not in _ONE_PROCESS_S},
        SHARED: counted,
        "TAKE5_REDIS_URL": urls.games,
        "TAKE5_QUEUE_URL": urls.queue,
    }


def _children(host: str, port: int, environment: Mapping[str, str]) -> tuple[Child, ...]:
    commands = {
        "clock": ("clock",),
        "worker of the bots": ("worker", "--queue", "bots"),
        "worker of the turns": ("worker", "--queue", "turns"),
        "API": ("api", "--host", host, "--port", str(port)),
    }
    return tuple(Child(name, arguments, environment) for name, arguments in commands.items())


def _tend(servers: Embedded, children: tuple[Child, ...]) -> None:
    """Start again what has died, and say so."""
    try:
        for name in servers.ensure():
            click.echo(f"The store of the {name} had ended; it is running again.", err=True)
    except ServerFailed as error:
        click.echo(f"A store does not start: {error}", err=True)
        time.sleep(_STORE_PAUSE_S)
    for child in children:
        code = child.tend()
        if code is not None:
            click.echo(f"The {child.name} has ended ({code}); it is started again.", err=True)


def _url(host: str, port: int) -> str:
    """Where a browser on this machine finds the service."""
    reachable = {"0.0.0.0": "127.0.0.1", "::": "[::1]"}.get(host, f"[{host}]" if ":" in host else host)  # noqa: S104  # nothing listens here
    return f"http://{reachable}:{port}"
