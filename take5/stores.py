"""The stores that `take5 admin` looks into: found by their addresses, or by the directory of a `take5 serve`."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path
from typing import Any, Final

import click

from service.store.child import ServerFailed
from service.store.connect import Unavailable
from service.store.embedded import running
from service.store.games import NoSuchGame
from take5.environment import settings
from worker.connection import Connection, connected

DIRECTORY: Final = click.Path(file_okay=False, path_type=Path)


class StoresCommand(click.Command):
    """A command that finds the stores, its object, when it is about to begin; they may be away, and its game not there.

    It takes `--data` as the group before it does, for that is where people write it; what comes last is meant.
    """

    def __init__(self, *args: Any, **extra: Any) -> None:
        super().__init__(*args, **extra)
        self.params.append(
            click.Option(
                ["--data"], type=DIRECTORY, help="As before the command: where `take5 serve` keeps its games."
            )
        )

    def invoke(self, ctx: click.Context) -> Any:
        """Do what the command does; raises click.ClickException when the stores or the game cannot be found."""
        ctx.obj = _connected(ctx.params.pop("data") or ctx.obj)
        try:
            return super().invoke(ctx)
        except Unavailable as error:
            raise click.ClickException(error.reason) from error
        except NoSuchGame as error:
            raise click.ClickException(f"There is no game {error}.") from error


def _connected(data: Path) -> Connection:
    config = settings()
    if not config.redis_url or not config.queue_url:
        try:
            urls = running(data)
        except ServerFailed as error:
            raise click.ClickException(
                f"{error}. Say where `take5 serve` keeps its games, with --data DIR or TAKE5_DATA; or set "
                "TAKE5_REDIS_URL and TAKE5_QUEUE_URL."
            ) from error
        config = replace(
            config, redis_url=config.redis_url or urls.games, queue_url=config.queue_url or urls.queue
        )
    return connected(config)
