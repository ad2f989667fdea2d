"""The playthroughs are what the rules do, and no rule set, event or command is without one."""

from __future__ import annotations

from collections import Counter
from typing import get_args

import pytest

from engine import commands as c
from engine.events import EVENTS
from engine.rulesets import RULESETS
from tests.playthroughs.games import PLAYTHROUGHS
from tests.playthroughs.script import HERE, Playthrough, told


@pytest.mark.parametrize("playthrough", PLAYTHROUGHS, ids=lambda one: one.name)
def test_the_text_is_what_happens(playthrough: Playthrough) -> None:
    # When this fails on purpose: python -m tests.playthroughs, and read the diff.
    assert playthrough.path.read_text() == told(playthrough)


def test_every_rule_set_has_two_playthroughs_and_so_have_learning_rounds() -> None:
    told_of = Counter(playthrough.options["ruleset"] for playthrough in PLAYTHROUGHS)
    assert told_of.keys() == RULESETS.keys()
    assert min(told_of.values()) >= 2
    assert sum("learning_rounds" in playthrough.options for playthrough in PLAYTHROUGHS) >= 2


def test_every_text_has_its_playthrough() -> None:
    assert set(HERE.glob("*.txt")) == {playthrough.path for playthrough in PLAYTHROUGHS}


def test_every_event_and_command_is_seen_somewhere() -> None:
    texts = "".join(playthrough.path.read_text() for playthrough in PLAYTHROUGHS)
    assert not [kind for kind in EVENTS if f" {kind} by " not in texts]
    assert not [kind.__name__ for kind in get_args(c.Command) if f"Z  {kind.__name__}" not in texts]
