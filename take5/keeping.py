"""Keeping a finished game in a file: looked at before the first card is laid, and never in the place of another file."""

from __future__ import annotations

import os
from pathlib import Path

import click

from take5.client import Client


class NotKept(Exception):
    """The game could not be written; the text says why, and what else could be done."""


class Keeper:
    """Writes games into files; over one that is there only when told to, or when it has written it itself."""

    def __init__(self, path: Path | None, *, force: bool) -> None:
        """Keep every game in `path`, if there is one; raises click.UsageError when that cannot be."""
        self.path = path
        self._own = {path} if force else set[Path | None]()
        if path:
            _check(path, force=force)

    def keep(self, client: Client, game: str, path: Path) -> str:
        """The sentence that says where the game is now; raises NotKept."""
        content = client.replay(game)
        try:
            with path.open("wb" if path in self._own else "xb") as file:
                self._own.add(path)
                file.write(content)
        except FileExistsError:
            raise NotKept(f"There is a file {path} already, which is left as it is.") from None
        except OSError as error:
            raise NotKept(f"{path} cannot be written: {error.strerror}.") from None
        return f"The game is kept in {path}: see `take5 replay {path}` and `take5 verify {path}`."


def _check(path: Path, *, force: bool) -> None:
    """Refuse at once what could not be written in the end."""
    room = path.absolute().parent
    if path.exists() and not force:
        raise click.UsageError(f"There is a file {path} already; --force writes over it.")
    if not room.is_dir():
        raise click.UsageError(f"There is no directory {room} to keep the game in.")
    if not os.access(room, os.W_OK):
        raise click.UsageError(f"Nothing can be written in the directory {room}.")
