"""Whether a game's file or log is what it should be, checked offline, on its own contents alone.

What this cannot show: that a log is the one which was played. Whoever writes a whole game anew, with its seeds, has made
another game; compare the head with one that was seen before, or a laid card with its receipt.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from typing import Any, Final, Literal, TypeAlias

from engine import events as e, files
from engine.canonical import canonical
from engine.checks import (
    Pending,
    check_chain,
    check_commitments,
    check_deals,
    check_digests,
    check_seal,
)
from engine.log import Envelope
from engine.records import FaultError, Record, records
from engine.referee import check_rules

CheckName: TypeAlias = Literal["file", "chain", "digests", "commitments", "deals", "rules", "seal"]
Outcome: TypeAlias = Literal["ok", "failed", "pending"]

_CHECKS: Final[dict[CheckName, tuple[Callable[[Sequence[Record]], Pending | None], str]]] = {
    "chain": (check_chain, "The events are numbered without a gap and chained by their hashes."),
    "digests": (check_digests, "Every hidden part is what had been sealed."),
    "commitments": (check_commitments, "The secrets are those that were committed to."),
    "deals": (check_deals, "Every deal follows from its seed."),
    "rules": (check_rules, "Every event follows from the rules."),
    "seal": (check_seal, "The last event seals the whole game."),
}
_FILE_OK: Final = "Every event can be read, and none was cut off."


@dataclass(frozen=True, slots=True)
class Check:
    """One thing that was checked: how it stands, the first event that is wrong or not known yet, and a sentence."""

    name: CheckName
    outcome: Outcome
    seq: int | None
    detail: str


@dataclass(frozen=True, slots=True)
class Report:
    """All that was checked of a log.

    `outcome` is failed when any check is, else pending when any is, else ok. `game` and `head` are what the log says,
    None when not one event could be read; `events` is how many could.
    """

    outcome: Outcome
    game: str | None
    events: int
    head: str | None
    checks: tuple[Check, ...]


def verify(lines: Iterable[str | bytes]) -> Report:
    """What stands in an `events` file, line by line as from an open file; never raises for what stands there."""
    contents = files.read_lines(lines)
    end = _end(contents)
    log, malformed = records(contents.values[1:end])
    unread = malformed
    if contents.fault and end == len(contents.values):
        unread = FaultError(None, contents.fault)
    return _report(unread or _file_fault(contents, end, log), log, is_whole=unread is None)


def verify_log(envelopes: Iterable[Envelope]) -> Report:
    """The same for the envelopes of a log, in order, redacted or not; `file` says whether each can be read."""
    log, malformed = records(envelopes)
    return _report(malformed, log, is_whole=malformed is None)


def _end(contents: files.Contents) -> int:
    """The place of the trailer, or of another file's header, among the values of a file; their number without one."""
    values = contents.values
    for place, value in enumerate(values[1:], 1):
        if _is_header(value) or (type(value) is dict and value.keys() >= {"count", "head"}):
            return place
    # Whatever else stands last, without being an event, stands in the trailer's place.
    has_other = contents.fault is None and len(values) > 1 and not _is_event(values[-1])
    return len(values) - has_other


def _is_event(value: Any) -> bool:
    return type(value) is dict and "v" in value


def _is_header(value: Any) -> bool:
    return type(value) is dict and "format" in value and not _is_event(value)


def _file_fault(contents: files.Contents, end: int, log: Sequence[Record]) -> FaultError | None:
    """What is wrong with header and trailer, beside the events between them."""
    values = contents.values
    if not values or not _is_header(values[0]):
        return FaultError(None, f"Line 1 is not the header of a {files.EVENTS_FORMAT} file.")
    if values[0]["format"] != files.EVENTS_FORMAT:
        found = f"it says that it is a {values[0]['format']}"
        return FaultError(None, f"Line 1 is not the header of a {files.EVENTS_FORMAT} file: {found}.")
    if end == len(values):
        return FaultError(None, "The file ends without its trailer: it was cut short.")
    if not log or not isinstance(log[0].event, e.GameCreated):
        return FaultError(1, "The first event is not game.created: the beginning is missing.")
    envelopes = [one.envelope for one in log]
    return (
        _following(contents, end)
        or _difference("header", values[0], files.header(envelopes))
        or _difference("trailer", values[end], files.trailer(envelopes))
    )


def _following(contents: files.Contents, end: int) -> FaultError | None:
    """What stands where nothing more of the file should."""
    values = contents.values
    if _is_header(values[end]):
        detail = "begins another file: two were put together, and the first is cut short"
        return FaultError(None, f"Line {end + 1} {detail}.")
    if end + 1 < len(values) or contents.fault:
        is_file = end + 1 < len(values) and _is_header(values[end + 1])
        detail = "two files were put together" if is_file else "something was added"
        return FaultError(None, f"Line {end + 2} follows the trailer, with which a file ends: {detail}.")
    return None


def _difference(what: str, found: Any, expected: dict[str, Any]) -> FaultError | None:
    if type(found) is not dict or found.keys() != expected.keys():
        return FaultError(None, f"The {what} has not exactly the fields {', '.join(expected)}.")
    for name, value in expected.items():
        # Compared as they are written: in Python, true equals 1.
        if canonical(found[name]) != canonical(value):
            detail = f"The {what} says that {name} is {found[name]!r}; by the events it is {value!r}."
            return FaultError(None, detail)
    return None


def _report(fault: FaultError | None, log: Sequence[Record], *, is_whole: bool) -> Report:
    file = Check("file", "failed", fault.seq, fault.detail) if fault else Check("file", "ok", None, _FILE_OK)
    checks = (file, *(_run(name, log, is_whole=is_whole) for name in _CHECKS))
    outcomes = {check.outcome for check in checks}
    outcome: Outcome = "failed" if "failed" in outcomes else "pending" if "pending" in outcomes else "ok"
    if not log:
        return Report(outcome, None, 0, None, checks)
    return Report(outcome, log[0].envelope["game"], len(log), log[-1].envelope["hash"], checks)


def _run(name: CheckName, log: Sequence[Record], *, is_whole: bool) -> Check:
    check, sentence = _CHECKS[name]
    if not log:
        return Check(name, "pending", None, "There is no event that could be read.")
    try:
        waiting = check(log)
    except FaultError as fault:
        return Check(name, "failed", fault.seq, fault.detail)
    if waiting:
        return Check(name, "pending", waiting.seq, waiting.detail)
    if not is_whole:
        return Check(name, "pending", len(log) + 1, f"Only the first {len(log)} events could be read.")
    return Check(name, "ok", None, sentence)
