"""What `take5 play` keeps of a game: looked at before it begins, never lost for want of a file, never over another one."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from engine.verify import verify
from take5.person import Person


@pytest.fixture
def by_itself(monkeypatch: pytest.MonkeyPatch) -> None:
    """The house plays for the person from the first card on."""
    whole = Person.play

    def resigned(self: Person) -> None:
        self._client.resign(self._game)
        whole(self)

    monkeypatch.setattr(Person, "play", resigned)


TABLE = ("--rounds", "1", "--seats", "2")


@pytest.mark.parametrize(
    ("name", "why"),
    [
        ("there.ndjson", "--force writes over it"),
        ("no/such/game.ndjson", "There is no directory"),
        ("locked/game.ndjson", "Nothing can be written in the directory"),
        (".", "is a directory"),
    ],
)
def test_a_file_that_could_not_be_written_is_refused_before_anything_else(
    at: Callable[..., Any], service: Any, tmp_path: Path, monkeypatch: pytest.MonkeyPatch, name: str, why: str
) -> None:
    (tmp_path / "there.ndjson").write_text("dear")
    (tmp_path / "locked").mkdir()
    monkeypatch.setattr("os.access", lambda path, mode: Path(path) != tmp_path / "locked")
    refused = at(*TABLE, "--save", str(tmp_path / name))
    assert refused.exit_code == 2
    assert why in refused.output
    assert not service.requests
    assert (tmp_path / "there.ndjson").read_text() == "dear"


def test_a_file_that_is_there_is_written_over_when_that_is_said(
    at: Callable[..., Any], by_itself: None, tmp_path: Path
) -> None:
    kept = tmp_path / "there.ndjson"
    kept.write_text("old")
    assert "--force writes over it" in at(*TABLE, "--save", str(kept)).output
    assert at(*TABLE, "--save", str(kept), "--force").exit_code == 0
    assert verify(kept.read_bytes().splitlines()).outcome == "ok"


def test_of_several_games_the_last_is_kept(at: Callable[..., Any], by_itself: None, tmp_path: Path) -> None:
    kept = tmp_path / "game.ndjson"
    shown = at(*TABLE, "--save", str(kept), typed="yes\nno\n")
    assert shown.output.count(f"The game is kept in {kept}") == 2
    assert "rematch_of" in kept.read_text()


def test_without_a_file_the_end_of_the_game_says_how_to_keep_it(
    at: Callable[..., Any], by_itself: None, tmp_path: Path
) -> None:
    (tmp_path / "there.ndjson").write_text("dear")
    words = (
        f"save {tmp_path}/there.ndjson",
        f"save {tmp_path}/no/game.ndjson",
        "save",
        f"save {tmp_path}/a game.ndjson",
    )
    shown = at(*TABLE, typed="\n".join((*words, "no", "")))
    assert shown.exit_code == 0
    for sentence in (
        "`save game.ndjson` keeps this game in a file",
        "which is left as it is. `save` and another name keeps the game there.",
        "cannot be written: No such file or directory.",
        "Type yes or no.",
        f"The game is kept in {tmp_path}/a game.ndjson",
    ):
        assert sentence in shown.output
    assert (tmp_path / "there.ndjson").read_text() == "dear"
    assert verify((tmp_path / "a game.ndjson").read_bytes().splitlines()).outcome == "ok"


def test_a_file_that_has_come_while_the_game_was_played_stays(
    at: Callable[..., Any], by_itself: None, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept, whole = tmp_path / "game.ndjson", Person.play

    def meanwhile(self: Person) -> None:
        whole(self)
        kept.write_text("somebody else's")

    monkeypatch.setattr(Person, "play", meanwhile)
    shown = at(*TABLE, "--save", str(kept), typed=f"save {tmp_path}/other.ndjson\nno\n")
    assert "which is left as it is" in shown.output
    assert kept.read_text() == "somebody else's"
    assert (tmp_path / "other.ndjson").exists()
