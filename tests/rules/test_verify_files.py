"""Files to verify: every edit, cut and splice is found and named, and nothing that stands in a file makes it raise."""

from __future__ import annotations

import copy
import json
from typing import Any, Final

import pytest
from hypothesis import given, strategies as st

from engine import wire
from engine.canonical import canonical
from engine.files import events_file
from engine.verify import Report, verify, verify_log
from tests.rules.retold import check_of, found, moments, retold
from tests.rules.table import logged, played
from tests.searching import examples

LOG: Final = logged(played(5, 3, end={"rounds": 1}))
"""A whole game of one round."""
LINES: Final = list(events_file(LOG))
FILE: Final = b"".join(LINES)


def lines_of(file: bytes) -> list[bytes]:
    return file.splitlines(keepends=True)


@examples(200)
@given(st.data())
def test_any_byte_that_is_changed_is_found(data: st.DataObject) -> None:
    place = data.draw(st.integers(0, len(FILE) - 1))
    kind = data.draw(st.sampled_from(["replace", "insert", "delete"]))
    byte = bytes([data.draw(st.one_of(st.integers(0, 255), st.sampled_from(list(b'0129af"{}[]:, \n'))))])
    edited = {
        "replace": FILE[:place] + byte + FILE[place + 1 :],
        "insert": FILE[:place] + byte + FILE[place:],
        "delete": FILE[:place] + FILE[place + 1 :],
    }[kind]
    # The last line may be with or without its end.
    if edited in (FILE, FILE[:-1]):
        return
    assert verify(edited.split(b"\n")[: -1 if edited.endswith(b"\n") else None]).outcome == "failed"


def test_lines_may_be_text_or_bytes_with_or_without_their_ends() -> None:
    texts = [line.decode() for line in LINES]
    for lines in (LINES, texts, [line.removesuffix(b"\n") for line in LINES], [one[:-1] for one in texts]):
        assert verify(lines).outcome == "ok"


@pytest.mark.parametrize("length", [0, 1, 2, 3, 40, len(LINES) - 2, len(LINES) - 1])
def test_a_file_that_was_cut_short_fails(length: int) -> None:
    report = verify(LINES[:length])
    assert check_of(report, "file").outcome == "failed"
    assert report.events == max(0, length - 1)


def test_a_file_that_was_cut_inside_a_line_fails_there() -> None:
    for place in (len(FILE) // 2, len(FILE) - 9, len(FILE) // 3, 9):
        lines = lines_of(FILE[:place])
        report = verify(lines)
        says = f"The file is cut short: it ends in the middle of line {len(lines)}."
        assert check_of(report, "file").detail == says
    report = verify(lines_of(FILE[: len(FILE) // 2]))
    assert check_of(report, "chain").detail == f"Only the first {report.events} events could be read."


def test_a_file_that_was_cut_inside_a_letter_is_told_to_be_cut() -> None:
    lines = [LINES[0], '{"name":"Zoë'.encode()[:-1]]
    assert check_of(verify(lines), "file").detail == "The file is cut short: it ends in the middle of line 2."


def test_a_line_that_breaks_off_before_others_is_not_the_end_of_the_file() -> None:
    lines = [*LINES[:5], LINES[5][:40], *LINES[6:]]
    assert check_of(verify(lines), "file").detail.startswith("Line 6 is not JSON")


@pytest.mark.parametrize("added", [b"\n", b"{}\n", b"# mine", LINES[5], LINES[-1]])
def test_what_was_added_behind_the_trailer_is_told_as_that(added: bytes) -> None:
    report = verify([*LINES, added])
    says = f"Line {len(LINES) + 1} follows the trailer, with which a file ends: something was added."
    assert check_of(report, "file").detail == says
    assert report.outcome == "failed"
    assert [check.name for check in report.checks if check.outcome != "ok"] == ["file"]


def test_two_files_that_were_put_together_are_told_as_that() -> None:
    other = list(events_file(logged(played(6, 3, end={"rounds": 1}))))
    whole = verify([*LINES, *other])
    says = f"Line {len(LINES) + 1} follows the trailer, with which a file ends: two files were put together."
    assert check_of(whole, "file").detail == says
    assert whole.events == len(LOG)
    cut = verify([*LINES[:9], *other])
    says = "Line 10 begins another file: two were put together, and the first is cut short."
    assert check_of(cut, "file").detail == says
    assert cut.events == 8


@pytest.mark.parametrize(
    ("file", "says"),
    [
        (FILE.replace(b"\n", b"\r\n"), "Line 1 ends in CR LF: the line ends of the file were converted"),
        (b"\xef\xbb\xbf" + FILE, "Line 1 begins with a byte order mark (BOM)"),
        (FILE.decode().encode("utf-16"), "Line 1 is in UTF-16: the file was converted"),
    ],
    ids=["line ends", "mark", "UTF-16"],
)
def test_a_file_that_a_program_has_converted_is_told_as_that(file: bytes, says: str) -> None:
    assert check_of(verify(lines_of(file)), "file").detail.startswith(says)


def test_a_line_that_was_removed_doubled_or_moved_fails_there() -> None:
    for place in range(2, len(LINES) - 1, 9):
        without = verify([*LINES[: place - 1], *LINES[place:]])
        assert found(without)["chain"] == place - 1
        doubled = verify([*LINES[:place], *LINES[place - 1 :]])
        assert found(doubled)["chain"] == place
        moved = verify([*LINES[: place - 1], LINES[place], LINES[place - 1], *LINES[place + 1 :]])
        assert found(moved)["chain"] == place - 1


def test_a_file_without_its_beginning_fails() -> None:
    assert check_of(verify(LINES[1:]), "file").detail.startswith("Line 1 is not the header")
    assert found(verify([LINES[0], *LINES[2:]]))["file"] == 1


def test_lines_of_another_game_fail_where_they_begin() -> None:
    other = list(events_file(logged(played(6, 3, end={"rounds": 1}))))
    assert found(verify([*LINES[:30], *other[30:]]))["chain"] == 30
    foreign = list(events_file(retold(moments(LOG), game="g_other")))
    assert "another game" in check_of(verify([*LINES[:30], *foreign[30:]]), "chain").detail
    assert "header" in check_of(verify([foreign[0], *LINES[1:]]), "file").detail


def rewritten(place: int, **changes: Any) -> list[bytes]:
    """The lines with some fields of one changed, written as they should be."""
    value = json.loads(LINES[place]) | changes
    return [*LINES[:place], canonical(value) + b"\n", *LINES[place + 1 :][: len(LINES)]]


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"format": "take5-events/2"}, "take5-events/1 file: it says that it is a take5-events/2"),
        ({"game": "g_other"}, "header says that game"),
        ({"rules": "category-5"}, "header says that rules"),
        ({"engine": "2.0"}, "header says that engine"),
        ({"key": "abc"}, "header says that key"),
        ({"extra": 1}, "header has not exactly"),
    ],
)
def test_a_header_that_is_not_of_its_events_fails(change: dict[str, Any], says: str) -> None:
    assert says in check_of(verify(rewritten(0, **change)), "file").detail


@pytest.mark.parametrize(
    ("change", "says"),
    [
        ({"count": 3}, "trailer says that count"),
        ({"head": "0" * 64}, "trailer says that head"),
        ({"signature": "abc"}, "trailer says that signature"),
        ({"extra": 1}, "trailer has not exactly"),
    ],
)
def test_a_trailer_that_is_not_of_its_events_fails(change: dict[str, Any], says: str) -> None:
    lines = rewritten(len(LINES) - 1, **change)
    assert says in check_of(verify(lines), "file").detail
    assert check_of(verify([*lines[:-1], b"5\n"]), "file").detail.startswith("The trailer has not")


def test_a_count_of_true_is_not_one() -> None:
    lines = list(events_file(LOG[:1]))
    trailer = canonical(json.loads(lines[-1]) | {"count": True})
    assert "count is True" in check_of(verify([*lines[:-1], trailer]), "file").detail


def test_a_version_that_is_not_known_says_so() -> None:
    check = check_of(verify(rewritten(7, v=2)), "file")
    assert (check.outcome, check.seq) == ("failed", 7)
    assert check.detail.startswith("Event 7 is of version 2, and this reader knows version 1.")


MALFORMED: Final[list[dict[str, Any]]] = [
    {"v": True},
    {"seq": "7"},
    {"at": "yesterday"},
    {"at": "2026-01-01T12:00:00Z"},
    {"by": {"kind": "ghost"}},
    {"by": {"kind": "player", "seat": 0, "name": "ada"}},
    {"type": "game.exploded"},
    {"data": []},
    {"data": {}},
    {"hash": "F" * 64},
    {"prev": "0"},
    {"sealed": {"s0": "0" * 64}},
    {"open": {"s0": {}}},
    {"extra": 1},
]


@pytest.mark.parametrize("change", MALFORMED, ids=str)
def test_an_event_that_is_malformed_is_named(change: dict[str, Any]) -> None:
    check = check_of(verify(rewritten(6, **change)), "file")
    assert (check.outcome, check.seq) == ("failed", 6)


@pytest.mark.parametrize(
    "change",
    [
        {"sealed": {}},
        {"sealed": {"s0": 5}},
        {"sealed": {"s9": "0" * 64}},
        {"open": {"s5": {"salt": "0" * 32, "data": {"card": 5}}}},
        {"open": {"s0": {"salt": "0", "data": {"card": 5}}}},
        {"open": {"s0": {"salt": "0" * 32, "data": {"card": 5}, "more": 1}}},
        {"open": {"s0": {"salt": "0" * 32, "data": {"card": 105}}}},
        {"open": {"s0": {"salt": "0" * 32, "data": {"hand": [5]}}}},
        {"open": {"s0": {"salt": "0" * 32, "data": 5}}},
        {"open": {"s0": 5}},
    ],
    ids=str,
)
def test_a_sealed_part_that_is_malformed_is_named(change: dict[str, Any]) -> None:
    laid = next(
        envelope["seq"]
        for envelope in LOG
        if envelope["type"] == "card.laid" and envelope["data"]["seat"] == 0
    )
    check = check_of(verify(rewritten(laid, **change)), "file")
    assert (check.outcome, check.seq) == ("failed", laid)


GARBAGE: Final[list[bytes | str]] = [
    b"",
    b"\n",
    b"null",
    b"[]",
    b"{",
    b"\xff\xfe",
    b"5.5",
    b"1e400",
    b"NaN",
    b"-Infinity",
    b"9" * 5000,
    b"9007199254740993",
    b"[" * 100_000,
    b'"\\ud800"',
    "\ud800",
    b'{"a":1,"a":1}',
    b'{"b":1,"a":1}',
    b"x" * 1_000_001,
    b'{"v":1}',
    b'{"v":10000000000000000000000}',
]


@pytest.mark.parametrize("line", GARBAGE, ids=lambda line: repr(line[:30]))
def test_garbage_fails_and_says_where(line: bytes | str) -> None:
    for place in (0, 9, len(LINES)):
        report = verify([*LINES[:place], line, *LINES[place + 1 :]])
        assert check_of(report, "file").outcome == "failed"
        assert all(len(check.detail) < 400 for check in report.checks)
    assert verify([line]).outcome == "failed"


@examples(100)
@given(st.lists(st.one_of(st.binary(), st.text()), max_size=5), st.integers(0, len(LINES)))
def test_whatever_stands_in_a_file_it_does_not_raise(lines: list[bytes | str], place: int) -> None:
    assert isinstance(verify(lines), Report)
    assert isinstance(verify([*LINES[:place], *lines]), Report)


JSON: Final = st.recursive(
    st.one_of(st.none(), st.booleans(), st.integers(), st.text(), st.sampled_from(["s0", "J3", "classic"])),
    lambda inner: st.one_of(st.lists(inner, max_size=4), st.dictionaries(st.text(), inner, max_size=4)),
    max_leaves=6,
)


def paths(value: Any, path: tuple[Any, ...] = ()) -> list[tuple[Any, ...]]:
    """Every place within a JSON value."""
    inner = value.items() if isinstance(value, dict) else enumerate(value) if isinstance(value, list) else ()
    return [path, *(deeper for key, item in inner for deeper in paths(item, (*path, key)))]


def with_value(value: Any, path: tuple[Any, ...], new: Any) -> Any:
    """The JSON value with another one at a place."""
    if not path:
        return new
    changed = copy.copy(value)
    changed[path[0]] = with_value(value[path[0]], path[1:], new)
    return changed


@examples(150)
@given(st.data())
def test_whatever_stands_in_an_event_it_is_reported_and_does_not_raise(data: st.DataObject) -> None:
    envelope = data.draw(st.sampled_from(LOG))
    path = data.draw(st.sampled_from(paths(envelope)[1:]))
    changed = with_value(envelope, path, data.draw(JSON))
    log = [*LOG[: envelope["seq"] - 1], changed, *LOG[envelope["seq"] :]]
    report = verify_log(log)
    # A part that a later event opens need not be open where it was sealed.
    is_same = canonical(log) == canonical(LOG) or canonical(changed) == canonical(envelope | {"open": {}})
    assert report.outcome == ("ok" if is_same else "failed")
    wire.read(Report, json.loads(json.dumps(wire.write(Report, report))))
