"""`take5 verify FILE`: is a downloaded game what it should be? Offline, on the file alone."""

from __future__ import annotations

import json
import sys
from dataclasses import asdict
from typing import BinaryIO, Final

import click
from rich.console import Console
from rich.text import Text

from engine.verify import Outcome, Report, verify
from take5 import screen
from take5.progress import Progress
from take5.reading import lines
from take5.values import printable

_STYLES: Final[dict[Outcome, str]] = {"ok": "green", "failed": "bold red", "pending": "yellow"}
_EXIT_CODES: Final[dict[Outcome, int]] = {"ok": 0, "failed": 1, "pending": 0}
_UNREADABLE: Final = 2
_SENTENCES: Final[dict[Outcome, str]] = {
    "ok": "Everything holds.",
    "failed": "This is not the log of a fairly dealt and played game, or not the whole of it.",
    "pending": "Nothing is wrong so far; the rest can be told when the game is over.",
}


@click.command("verify")
@click.argument("file", type=click.File("rb"))
@click.option("--json", "as_json", is_flag=True, help="Write the report as one JSON object.")
def verify_file(file: BinaryIO, *, as_json: bool) -> None:
    """Check a game from its `events` FILE (- for standard input).

    The chain of hashes, every sealed part, the commitments, the deals from their seeds, and every move by the rules.

    Exit codes: 0 nothing is wrong, 1 a check has failed, 2 there is no game in FILE.
    """
    try:
        with Progress("checking the game"):
            report = verify(lines(file))
    except OSError as error:
        raise click.BadParameter(str(error), param_hint="FILE") from None
    if as_json:
        click.echo(json.dumps(asdict(report), indent=2))
    else:
        _show(screen.console(), report)
    sys.exit(_EXIT_CODES[report.outcome] if report.events else _UNREADABLE)


def _show(console: Console, report: Report) -> None:
    if not report.events:
        detail = printable(report.checks[0].detail, 500)
        console.print(Text(f"There is no game to check in this file: {detail}", _STYLES["failed"]))
        console.print(
            "What can be checked is an `events` file (take5-<game>.ndjson) as it was downloaded, byte for byte; "
            "one that was packed with `zcat FILE | take5 verify -`. `replay` and `csv` files have no chain."
        )
        return
    game = printable(report.game or "?", 80)
    console.print(Text.assemble((game, "bold"), f"  {report.events} events"))
    for check in report.checks:
        where = f"  (event {check.seq})" if check.seq is not None and check.outcome != "ok" else ""
        told = Text.assemble((f"{check.outcome:<9}", _STYLES[check.outcome]), f"{check.name:<13}")
        console.print(told.append(printable(check.detail, 500) + where))
    console.print(Text(f"head     {printable(report.head or '?', 80)}", "dim"))
    console.print(Text(_SENTENCES[report.outcome], _STYLES[report.outcome]))
