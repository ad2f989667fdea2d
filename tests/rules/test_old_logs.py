"""Files that earlier versions wrote: they verify, fold, and are shown step by step, for ever."""

from __future__ import annotations

import json
from pathlib import Path

import pytest

from engine import compact, files
from engine.events import EVENTS
from engine.log import Envelope, fold_log
from engine.replay import frames, rebuild, steps
from engine.rulesets import RULESETS
from engine.verify import verify

FILES = sorted((Path(__file__).parents[1] / "logs").glob("*/*.ndjson"))


def envelopes(path: Path) -> list[Envelope]:
    contents = files.read_lines(path.read_bytes().splitlines())
    assert contents.fault is None
    log: list[Envelope] = contents.values[1:-1]
    return log


def test_there_are_files_of_every_past_version() -> None:
    assert {path.parent.name for path in FILES} == {"v1"}


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name} {path.stem}")
def test_an_old_file_verifies_and_folds(path: Path) -> None:
    with path.open("rb") as lines:
        report = verify(lines)
    assert report.outcome == "ok", report
    live = fold_log(envelopes(path))
    assert (live.game.seq, live.head, live.game.is_over) == (report.events, report.head, True)


@pytest.mark.parametrize("path", FILES, ids=lambda path: f"{path.parent.name} {path.stem}")
def test_an_old_replay_rebuilds_the_frames_of_its_log(path: Path) -> None:
    log = envelopes(path)
    old = json.loads(path.with_suffix(".json").read_text())
    rebuilt = list(frames(rebuild(compact.read(old)), "public"))
    from_log = list(frames(steps(log), "public"))[len(log) - len(rebuilt) :]
    assert [step["type"] for step in rebuilt] == [step["type"] for step in from_log]
    assert [step["view"] for step in rebuilt] == [step["view"] | {"head": ""} for step in from_log]


def test_there_are_events_of_every_type_and_games_of_every_way_to_play() -> None:
    logs = [envelopes(path) for path in FILES]
    kinds = {envelope["type"] for log in logs for envelope in log}
    played = {RULESETS[fold_log(log).game.options.ruleset].stages for log in logs}
    assert kinds == EVENTS.keys()
    assert played == {rules.stages for rules in RULESETS.values()}
    assert {"tactics", "pro", "jokers"} <= {fold_log(log).game.options.ruleset for log in logs}
