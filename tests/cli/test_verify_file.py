"""`take5 verify`: what it says, and what its exit code says to a script."""

from __future__ import annotations

import json
from pathlib import Path

import pytest
from click.testing import CliRunner, Result

from engine.files import events_file
from engine.log import Envelope, redact
from take5.verify_file import verify_file


def verify(*arguments: object, stdin: bytes | None = None) -> Result:
    return CliRunner().invoke(verify_file, [str(argument) for argument in arguments], input=stdin)


def test_a_finished_game_verifies_from_its_file_alone(log: list[Envelope], events_path: Path) -> None:
    done = verify(events_path)
    assert done.exit_code == 0
    assert [line.split()[0] for line in done.output.splitlines()[1:8]] == ["ok"] * 7
    assert log[-1]["hash"] in done.output
    assert done.output.endswith("Everything holds.\n")


def test_an_edited_event_fails_and_is_named(events_path: Path) -> None:
    lines = events_path.read_bytes().splitlines(keepends=True)
    lines[20] = lines[20].replace(b'"round":1', b'"round":2', 1)
    done = verify("-", stdin=b"".join(lines))
    assert done.exit_code == 1
    (chain,) = [line for line in done.output.splitlines() if line.split()[1] == "chain"]
    assert chain.startswith("failed")
    assert chain.endswith("(event 20)")


def test_a_file_that_was_cut_short_fails(events_path: Path) -> None:
    lines = events_path.read_bytes().splitlines(keepends=True)
    done = verify("-", stdin=b"".join(lines[:-1]))
    assert done.exit_code == 1
    assert "cut short" in done.output


def test_a_game_that_is_still_on_is_pending_which_is_no_failure(log: list[Envelope]) -> None:
    done = verify("-", stdin=b"".join(events_file(redact(log[:40], None))))
    assert done.exit_code == 0
    assert "pending" in done.output
    assert "Nothing is wrong so far" in done.output


@pytest.mark.parametrize("stdin", [b"", b"\x00\xff", b"{}\n", b"[" * 100_000, b"x" * 3_000_000])
def test_what_is_no_game_has_an_exit_code_of_its_own(stdin: bytes) -> None:
    done = verify("-", stdin=stdin)
    assert done.exit_code == 2
    assert "There is no game to check in this file" in done.output
    assert "`events` file" in done.output


def test_a_file_that_cannot_be_opened_has_it_too(tmp_path: Path) -> None:
    assert verify(tmp_path / "absent.ndjson").exit_code == 2
    assert verify(tmp_path).exit_code == 2


def test_the_report_comes_as_json_for_programs(log: list[Envelope], events_path: Path) -> None:
    report = json.loads(verify("--json", events_path).output)
    assert report["outcome"] == "ok"
    assert (report["game"], report["events"], report["head"]) == ("g_1", len(log), log[-1]["hash"])
    assert {check["name"]: check["outcome"] for check in report["checks"]} == dict.fromkeys(
        ("file", "chain", "digests", "commitments", "deals", "rules", "seal"), "ok"
    )
    unread = verify("--json", "-", stdin=b"no")
    assert unread.exit_code == 2
    assert json.loads(unread.output)["outcome"] == "failed"


def test_nothing_in_a_file_can_steer_the_terminal(events_path: Path) -> None:
    text = events_path.read_text().replace('"game":"g_1"', '"game":"\\u001b[2J"')
    assert "\x1b" not in verify("-", stdin=text.encode()).output
