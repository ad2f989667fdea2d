"""`take5 verify FILE...`: are downloaded games what they should be? Offline, each on its file alone."""

from __future__ import annotations

import json
import sys
from collections import Counter
from collections.abc import Sequence
from dataclasses import asdict
from typing import Final

import click
from rich.console import Console
from rich.text import Text

from engine.verify import Check, Outcome, Report, verify
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
@click.argument("files", metavar="FILE...", nargs=-1, required=True)
@click.option(
    "--json",
    "as_json",
    is_flag=True,
    help="Write the report as one JSON object; for several files, as an array.",
)
def verify_file(files: tuple[str, ...], *, as_json: bool) -> None:
    """Check games from their `events` FILEs (- for standard input).

    The chain of hashes, every sealed part, the commitments, the deals from their seeds, and every move by the rules.

    Exit codes: 0 nothing is wrong, 1 a check has failed, 2 there is no game in FILE; of several files the highest.
    """
    console = screen.console()
    if len(files) == 1:
        report = _checked(files[0])
        if as_json:
            click.echo(json.dumps(asdict(report), indent=2))
        else:
            _show(console, report)
        sys.exit(_exit_code(report))
    reports = []
    for file in files:
        reports.append(_report_of(file))
        if not as_json:
            console.print(Text(printable(file, 200), "bold underline"))
            _show(console, reports[-1])
            console.print()
    if as_json:
        told = [{"file": file} | asdict(report) for file, report in zip(files, reports, strict=True)]
        click.echo(json.dumps(told, indent=2))
    else:
        console.print(_counted(reports))
    sys.exit(max(map(_exit_code, reports)))


def _exit_code(report: Report) -> int:
    return _EXIT_CODES[report.outcome] if report.events else _UNREADABLE


def _counted(reports: Sequence[Report]) -> str:
    counts = Counter(report.outcome if report.events else "without a game" for report in reports)
    return f"{len(reports)} files: {', '.join(f'{number} {what}' for what, number in sorted(counts.items()))}"


def _report_of(file: str) -> Report:
    """The report of one file among several, whose others are checked also when it cannot be read."""
    try:
        return _checked(file)
    except click.BadParameter as error:
        return Report("failed", None, 0, None, (Check("file", "failed", None, f"{error.message}."),))


def _checked(file: str) -> Report:
    try:
        with click.open_file(file, "rb") as opened, Progress("checking the game"):
            return verify(lines(opened))
    except OSError as error:
        raise click.BadParameter(f"{file!r}: {error.strerror}", param_hint="FILE") from None


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
