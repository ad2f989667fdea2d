"""An answer that was given is found again, with and without playing the log again."""

from __future__ import annotations

import random

import pytest

from engine.decisions import Key, current_decisions
from service.receipts import _from_log, answer_of
from tests.rules.lively import lively
from tests.rules.table import logged


@pytest.mark.parametrize("ruleset", ["classic", "pro", "jokers", "learning"])
@pytest.mark.parametrize("seed", range(6))
def test_both_ways_find_the_same_answer(ruleset: str, seed: int) -> None:
    options = {"learning_rounds": 1} if ruleset == "learning" else {"ruleset": ruleset}
    done = lively(seed, 3, end={"rounds": 2}, recommit=seed % 2 == 1, **options)
    log = logged(done)
    keys = {decision.key: None for step in done for decision in current_decisions(step.before)}
    asked = [key for key in keys if key.kind != "pick"]
    assert {key.kind for key in asked} >= {"card", "row"}
    for key in random.Random(seed).sample(asked, 25):
        remembered = _from_log(log, key)
        assert remembered
        assert answer_of(log, key) == remembered.answer, str(key)


def test_what_was_never_asked_has_no_answer() -> None:
    log = logged(lively(1, 3, end={"rounds": 1}))
    for name in ("r9.t1.s0.card", "r1a7.t1.s0.card", "v9.s0.ballot"):
        key = Key.parse(name)
        assert key
        assert (answer_of(log, key), _from_log(log, key)) == (None, None)
