"""The token that somebody plays with: from the environment, or in a file that only its owner reads. It is never shown."""

from __future__ import annotations

import os
from pathlib import Path
from typing import Final

import click

ENVIRONMENT: Final = "TAKE5_TOKEN"


def held(file: Path | None) -> str | None:
    """The token in `file`, or without one that of the environment; None for somebody new. Raises click.UsageError."""
    if file is None:
        return os.environ.get(ENVIRONMENT) or None
    try:
        token = file.read_text().strip()
    except FileNotFoundError:
        return None
    except (OSError, ValueError) as error:
        raise click.UsageError(f"{file} cannot be read as a token: {error}") from None
    if not token or len(token.split()) > 1 or not token.isascii():
        raise click.UsageError(f"There is no token in {file}.")
    return token


def keep(file: Path, token: str) -> None:
    """Write the token into a new file for its owner alone; raises OSError, also when there is one by now."""
    with os.fdopen(os.open(file, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "w") as new:
        new.write(token + "\n")


def way_back(url: str, file: Path | None, game: str) -> str:
    """The command that comes back to a seat."""
    return f"take5 play --url {url}" + (f" --token-file {file}" if file else "") + f" --game {game}"
