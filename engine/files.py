"""Games as files: what they are called, and the `events` file (NDJSON), written and strictly read.

An `events` file is lines of canonical JSON: a header, one event a line, a trailer. Since every line has exactly one way
to be written, a file that differs in one byte from the one that was written is told apart.
"""

from __future__ import annotations

import codecs
import json
import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from engine.canonical import canonical
from engine.log import Envelope

FileFormat: TypeAlias = Literal["events", "replay", "csv"]

EVENTS_FORMAT: Final = "take5-events/1"
"""What the header of an `events` file says it is."""

EXTENSIONS: Final[dict[FileFormat, str]] = {"events": "ndjson", "replay": "json", "csv": "csv"}
"""The extension of each kind of file."""

LONGEST_LINE: Final = 1_000_000
"""More characters than any line of an `events` file has; the longest events are a fiftieth of it."""

LARGEST_INTEGER: Final = 2**53 - 1
"""The largest integer that every JSON reader reads alike (RFC 8785)."""

_NAME: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")


def file_name(game: str, kind: FileFormat) -> str:
    """What a game's file is called, such as take5-g_7Hq2.ndjson; ValueError for an id that is no part of a file name."""
    if not _NAME.fullmatch(game):
        raise ValueError(f"not the id of a game: {game!r}")
    return f"take5-{game}.{EXTENSIONS[kind]}"


def header(envelopes: Sequence[Envelope]) -> dict[str, Any]:
    """The first line of a log's file: which game it is, by which rules; `key` is what signs it, null without signature."""
    created = envelopes[0]["data"]
    options = [envelope["data"]["options"] for envelope in envelopes if "options" in envelope["data"]]
    return {
        "format": EVENTS_FORMAT,
        "game": envelopes[0]["game"],
        "rules": options[-1]["ruleset"],
        "engine": created["engine"],
        "key": None,
    }


def trailer(envelopes: Sequence[Envelope]) -> dict[str, Any]:
    """The last line of a log's file: how many events stand before it, the hash of the last, and a signature or null."""
    return {"count": len(envelopes), "head": envelopes[-1]["hash"], "signature": None}


def events_file(envelopes: Sequence[Envelope]) -> Iterator[bytes]:
    """The lines of the `events` file of a log with at least its first event, each with its line end.

    The log is written as it is: `engine.log.redact` it for its reader before.
    """
    for value in (header(envelopes), *envelopes, trailer(envelopes)):
        yield canonical(value) + b"\n"


class UnreadableError(ValueError):
    """A line that no `events` file has; the text says why."""


@dataclass(frozen=True, slots=True)
class Contents:
    """What could be read of a file: the JSON values of its lines, up to the first that cannot be read, and why it cannot."""

    values: list[Any]
    fault: str | None


def read_lines(lines: Iterable[str | bytes]) -> Contents:
    """The lines of a file, each with its line end or without it; never raises for what stands in them.

    Give it the open file, or split at line feeds alone: names may hold others that `splitlines` splits at.
    """
    values: list[Any] = []
    rest = iter(lines)
    for number, line in enumerate(rest, 1):
        try:
            values.append(_read(line))
        except UnreadableError as error:
            if _is_beginning(line) and next(rest, None) is None:
                return Contents(values, f"The file is cut short: it ends in the middle of line {number}.")
            return Contents(values, f"Line {number} {error}.")
    return Contents(values, None)


def _is_beginning(line: str | bytes) -> bool:
    """Whether a line that cannot be read looks like the first part of one that could be."""
    text = line if isinstance(line, str) else line.decode(errors="replace")
    return text.startswith("{") and not text.endswith("\n") and text.count("{") > text.count("}")


def _trace(line: str | bytes) -> str | None:
    """What a program has left in a line that converted the file."""
    if isinstance(line, str):
        line = (line[:1] + line[-2:]).encode(errors="replace")
    start, end = line[:3], line[-2:]
    if start.startswith((codecs.BOM_UTF16_LE, codecs.BOM_UTF16_BE)):
        return "is in UTF-16: the file was converted, and was UTF-8 when it was written"
    if start == codecs.BOM_UTF8:
        return "begins with a byte order mark (BOM), which was added to the file"
    if end.removesuffix(b"\n").endswith(b"\r"):
        return "ends in CR LF: the line ends of the file were converted, and were LF alone"
    return None


def _read(line: str | bytes) -> Any:
    if len(line) > LONGEST_LINE:
        raise UnreadableError(f"is longer than {LONGEST_LINE} characters")
    if trace := _trace(line):
        raise UnreadableError(trace)
    try:
        text = line if isinstance(line, str) else line.decode()
        text = text.removesuffix("\n")
        value = _decoder.decode(text)
        written = canonical(value).decode()
    except UnreadableError:
        raise
    except UnicodeError:
        raise UnreadableError("is not valid Unicode in UTF-8") from None
    except RecursionError:
        raise UnreadableError("is nested too deeply") from None
    except ValueError as error:
        raise UnreadableError(f"is not JSON: {error}") from None
    if written != text:
        raise UnreadableError("is not in the canonical form (RFC 8785) in which the file was written")
    return value


def _integer(text: str) -> int:
    if len(text) > 17 or abs(int(text)) > LARGEST_INTEGER:
        raise UnreadableError(f"has the number {text[:20]}, which is too large")
    return int(text)


def _no_float(text: str) -> Any:
    raise UnreadableError(f"has the number {text[:20]}, and there are only integers")


_decoder: Final = json.JSONDecoder(parse_int=_integer, parse_float=_no_float, parse_constant=_no_float)
