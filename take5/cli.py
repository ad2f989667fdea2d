"""The command line `take5`: a table of commands, each loaded when it is used."""

from __future__ import annotations

import errno
import os
import sys
from difflib import get_close_matches
from importlib import import_module
from pathlib import Path
from typing import Any, Final, TextIO

import click

from take5 import lifeline

COMMANDS: Final[dict[str, str]] = {
    "serve": "take5.serve:serve",
    "api": "take5.api:api",
    "worker": "take5.workers:worker",
    "clock": "take5.workers:clock",
    "admin": "take5.admin:admin",
    "play": "take5.play:play",
    "replay": "take5.replay_file:replay",
    "verify": "take5.verify_file:verify_file",
    "openapi": "take5.document:openapi",
}
"""Where each command is found, as `module:function`, in the order of the help."""

_UNWRITABLE: Final = frozenset({errno.ENOSPC, errno.EDQUOT, errno.EFBIG, errno.EIO})
_STDOUT: Final = 1
_NOT_WRITTEN: Final = os.EX_IOERR
"""The exit code of a command that could not say what it found: no command's own, so that nobody takes it for an answer."""


def _nothing(mode: str) -> TextIO:
    return Path(os.devnull).open(mode, encoding="utf-8")  # type: ignore[return-value]  # of a mode that is no literal


class _Lazy(click.Group):
    """A group that imports a command only when it is asked for, so that each starts quickly."""

    def main(self, *args: Any, **extra: Any) -> Any:
        # A stream that whoever started us has closed is none to Python; what is said there is lost, and no fault of ours.
        sys.stdin, sys.stdout = sys.stdin or _nothing("r"), sys.stdout or _nothing("w")
        try:
            return super().main(*args, **extra)
        except OSError as error:
            if error.errno not in _UNWRITABLE:
                raise
            os.dup2(
                os.open(os.devnull, os.O_WRONLY), _STDOUT
            )  # or Python tries once more at the end, and complains
            click.echo(f"Error: not everything could be written: {error.strerror}.", err=True)
            sys.exit(_NOT_WRITTEN)

    def invoke(self, ctx: click.Context) -> Any:
        try:
            return super().invoke(ctx)
        except BrokenPipeError:  # click would end with 1
            os.dup2(os.open(os.devnull, os.O_WRONLY), _STDOUT)
            ctx.exit(_NOT_WRITTEN)

    def list_commands(self, ctx: click.Context) -> list[str]:
        return list(COMMANDS)

    def resolve_command(
        self, ctx: click.Context, args: list[str]
    ) -> tuple[str | None, click.Command | None, list[str]]:
        near = get_close_matches(args[0], COMMANDS, n=1)
        if near and args[0] not in COMMANDS:
            ctx.fail(f"No such command {args[0]!r}. Did you mean {near[0]}?")
        return super().resolve_command(ctx, args)

    def get_command(self, ctx: click.Context, cmd_name: str) -> click.Command | None:
        if cmd_name not in COMMANDS:
            return None
        module, _, function = COMMANDS[cmd_name].partition(":")
        command: click.Command = getattr(import_module(module), function)
        return command


@click.group(cls=_Lazy)
@click.version_option(package_name="take5")
@click.option("--tied", is_flag=True, hidden=True, help="End when standard input is closed.")
def main(*, tied: bool) -> None:
    """Take 5 (6 nimmt!) over HTTP: serve games, play them, look at them again and check them."""
    if tied:
        lifeline.end_with_parent()


if __name__ == "__main__":
    main()
