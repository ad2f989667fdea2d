"""A small part of `tests.e2e.chaos`: six tables while a worker, a store and the API are killed in turn."""

from __future__ import annotations

from pathlib import Path

from tests.e2e.chaos import VICTIMS, run, tables


def test_six_tables_end_well_whoever_is_killed_meanwhile(tmp_path: Path) -> None:
    victims = [role for roles in zip(VICTIMS["a worker"], VICTIMS["a store"], strict=True) for role in roles]
    found = run(
        tables(6, end={"rounds": 2}), (*victims, "API"), 60, tmp_path / "data", tmp_path / "log", seed=5
    )
    assert found.wrong == [], (tmp_path / "log").read_text()[-2000:]
    assert found.finished == 6
    assert found.turns == 6 * 2 * 10
    assert found.kills >= 5
    assert found.snapshots > found.turns
    assert found.answers > 0


def test_tables_that_draft_and_talk_end_well_whoever_is_killed_meanwhile(tmp_path: Path) -> None:
    wanted = [
        *tables(2, talk=True, ruleset="pro", end={"rounds": 1}),
        *tables(2, talk=True, ruleset="jokers", end={"rounds": 1}),
        *tables(2, talk=True, learning_rounds=1, end={"rounds": 1}),
    ]
    victims = (*VICTIMS["a worker"], "games store")
    found = run(wanted, victims, 60, tmp_path / "data", tmp_path / "log", seed=6)
    assert found.wrong == [], (tmp_path / "log").read_text()[-2000:]
    assert found.finished == 6
    assert found.kills >= 2
