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


@pytest.fixture
def paths(events_path: Path, tmp_path: Path) -> dict[str, Path]:
    """Files of each kind, by what is found of them."""
    lines = events_path.read_bytes().splitlines(keepends=True)
    found = {name: tmp_path / f"{name}.ndjson" for name in ("ok", "failed", "pending", "none", "absent")}
    found["ok"].write_bytes(b"".join(lines))
    found["failed"].write_bytes(b"".join(lines[:-1]))
    begun = [json.loads(line) for line in lines[1:40]]
    found["pending"].write_bytes(b"".join(events_file(redact(begun, None))))
    found["none"].write_bytes(b"not a game")
    return found


@pytest.mark.parametrize(
    ("asked", "code"),
    [
        (("ok", "ok"), 0),
        (("ok", "pending"), 0),
        (("failed", "ok"), 1),
        (("failed", "none", "ok"), 2),
        (("ok", "absent", "failed"), 2),
    ],
    ids=str,
)
def test_of_several_files_each_is_reported_and_the_exit_code_is_the_worst(
    paths: dict[str, Path], asked: tuple[str, ...], code: int
) -> None:
    done = verify(*(paths[name] for name in asked))
    assert done.exit_code == code
    lines = done.output.splitlines()
    assert [line for line in lines if line.endswith(".ndjson")] == [str(paths[name]) for name in asked]
    assert lines[-1].startswith(f"{len(asked)} files: ")
    told = json.loads(verify("--json", *(paths[name] for name in asked)).output)
    assert [one["file"] for one in told] == [str(paths[name]) for name in asked]
    assert [one["outcome"] for one in told] == [
        name if name in ("ok", "pending") else "failed" for name in asked
    ]
    assert [one["events"] == 0 for one in told] == [name in ("none", "absent") for name in asked]


def test_several_files_are_counted_at_the_end(paths: dict[str, Path]) -> None:
    done = verify(*(paths[name] for name in ("ok", "none", "ok", "failed", "absent")))
    assert done.output.endswith("5 files: 1 failed, 2 ok, 2 without a game\n")
    assert "No such file or directory" in done.output


def test_a_file_must_be_named() -> None:
    assert verify().exit_code == 2


def test_nothing_in_a_file_can_steer_the_terminal(events_path: Path) -> None:
    text = events_path.read_text().replace('"game":"g_1"', '"game":"\\u001b[2J"')
    assert "\x1b" not in verify("-", stdin=text.encode()).output
