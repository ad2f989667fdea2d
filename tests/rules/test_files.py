"""Files: their names, and the `events` file as it is written and strictly read."""

from __future__ import annotations

import json

import pytest
import rfc8785

from engine import commands as c
from engine.files import EXTENSIONS, Contents, events_file, file_name, header, read_lines, trailer
from engine.log import redact
from tests.rules.retold import told
from tests.rules.table import logged, played

LOG = logged(played(5, 2, end={"rounds": 1}))


def test_files_are_named_after_their_game() -> None:
    assert file_name("g_7Hq2-x", "events") == "take5-g_7Hq2-x.ndjson"
    assert file_name("g_7Hq2-x", "replay") == "take5-g_7Hq2-x.json"
    assert file_name("g_7Hq2-x", "csv") == "take5-g_7Hq2-x.csv"
    assert len(set(EXTENSIONS.values())) == len(EXTENSIONS)


@pytest.mark.parametrize("game", ["", "../../etc/passwd", "a b", "a\n", "g" * 65, 'x";'])
def test_an_id_that_is_no_part_of_a_name_makes_no_file(game: str) -> None:
    with pytest.raises(ValueError, match="not the id"):
        file_name(game, "events")


def test_a_file_is_header_events_and_trailer_in_rfc_8785() -> None:
    lines = list(events_file(LOG))
    values = [json.loads(line) for line in lines]
    assert values == [header(LOG), *LOG, trailer(LOG)]
    assert [rfc8785.dumps(value) + b"\n" for value in values] == lines
    assert values[0] == {
        "format": "take5-events/1",
        "game": "g_test",
        "rules": "classic",
        "engine": "1.0",
        "key": None,
    }
    assert values[-1] == {"count": len(LOG), "head": LOG[-1]["hash"], "signature": None}


def test_the_rules_in_the_header_are_those_last_agreed_on() -> None:
    changed = c.ChangeOptions("p0", {"ruleset": "category-5", "seats": 2})
    assert header(told([(0, changed)]))["rules"] == "category-5"


def test_a_file_ends_in_the_head_of_its_log_however_redacted() -> None:
    whole, public = list(events_file(LOG[:-1])), list(events_file(redact(LOG[:-1], None)))
    assert whole[-1] == public[-1]


def test_lines_are_read_up_to_the_first_that_cannot_be() -> None:
    assert read_lines(['{"a":1}\n', b'{"b":[true,null,"x"]}', "0.5", "2"]) == Contents(
        [{"a": 1}, {"b": [True, None, "x"]}], "Line 3 has the number 0.5, and there are only integers."
    )
    assert read_lines([]) == Contents([], None)


@pytest.mark.parametrize(
    ("line", "says"),
    [
        ("1 ", "canonical"),
        ("1\r\n", "CR LF"),
        ("1\n\n", "canonical"),
        (b"\xef\xbb\xbf1", "byte order mark"),
        (b"\xff", "Unicode"),
        ("-0", "canonical"),
        ("01", "not JSON"),
        ("9007199254740992", "too large"),
        ("-" + "9" * 5000, "too large"),
        ("[" * 50_000 + "]" * 50_000, "nested"),
        ('"\\u0041"', "canonical"),
        ('"' + "x" * 1_000_000, "longer"),
    ],
    ids=lambda value: repr(value[:12]),
)
def test_a_line_that_is_not_as_it_was_written_is_not_read(line: str | bytes, says: str) -> None:
    contents = read_lines(["9007199254740991", line])
    assert contents.values == [2**53 - 1]
    assert contents.fault is not None
    assert contents.fault.startswith("Line 2 ")
    assert says in contents.fault
