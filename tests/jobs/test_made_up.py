"""One rule set more is one value more: the service and the worker serve, play, teach and verify it without a change."""

from __future__ import annotations

import json
import subprocess
import sys
from pathlib import Path
from typing import Any, Final

import pytest

from tests.jobs.made_up import NAME

PROGRAM: Final = """
import json, sys
from engine.options import PointsEnd
from engine.rulesets import RULESETS, RuleSet
RULESETS["long-rows"] = RuleSet(
    "long-rows", "Five rows, which the seventh card takes", PointsEnd(25, "reached"), max_seats=9, rows=5, row_limit=6
)
from tests.jobs.made_up import played
sys.stdout.write(json.dumps(played()))
"""
"""The whole of what a new rule set takes."""


@pytest.fixture(scope="module")
def told() -> dict[str, Any]:
    """What came of a whole game in a process that knows the rule set from its start."""
    done = subprocess.run(
        [sys.executable, "-c", PROGRAM],
        cwd=Path(__file__).parents[2],
        capture_output=True,
        text=True,
        check=False,
        timeout=60,
    )
    assert done.returncode == 0, done.stderr
    result: dict[str, Any] = json.loads(done.stdout.splitlines()[-1])
    return result


def test_a_game_of_a_person_and_house_bots_is_played_to_its_end(told: dict[str, Any]) -> None:
    state = told["state"]
    assert (state["status"], state["rules"]["ruleset"]) == ("finished", NAME)
    assert max(place["total_bullheads"] for place in state["standings"]) >= 25
    assert told["answers"] >= 2 * 9
    assert (len(state["rows"]), told["longest"]) == (5, 6)


def test_it_verifies_and_can_be_looked_at_again(told: dict[str, Any]) -> None:
    assert told["verification"]["outcome"] == "ok"
    assert told["frames"]["items"][0]["view"]["rules"]["ruleset"] == NAME
    assert told["replay"]["options"]["ruleset"] == NAME
    assert [one["kind"] for one in told["scores"]["rounds"]][:2] == ["learning", "counted"]


def test_it_is_listed_documented_and_taught(told: dict[str, Any]) -> None:
    assert NAME in told["listed"]
    assert told["documented"]
    assert (told["ruleset"]["rows"], told["ruleset"]["row_limit"]) == (5, 6)
    assert any("6 cards" in sentence for sentence in told["ruleset"]["turn"])


def test_its_turns_are_simulated(told: dict[str, Any]) -> None:
    assert told["turn"]["rows"][0] == [30, 31]
    assert told["turn"]["captures"] == [{"seat": 0, "cards": [10, 11, 12, 13, 14, 15], "bullheads": 13}]
