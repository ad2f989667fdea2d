"""The settings as the command line meets them: from the environment, with errors for people."""

from __future__ import annotations

import os

import click

from service.config import Config, ConfigError, from_environment


def settings() -> Config:
    """The settings of this process's environment; raises click.ClickException for one that makes no sense."""
    try:
        return from_environment(os.environ)
    except ConfigError as error:
        raise click.ClickException(str(error)) from error


def settings_with_servers() -> Config:
    """The same, for a command that needs both servers to be named."""
    config = settings()
    if not config.redis_url or not config.queue_url:
        raise click.ClickException(
            "TAKE5_REDIS_URL and TAKE5_QUEUE_URL must both be set; `take5 serve` brings servers of its own."
        )
    return config
