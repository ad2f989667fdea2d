"""Chance comes out as it should: the known figures of random play, over few enough rounds for every run of the tests."""

from __future__ import annotations

import pytest

from tests.bench.figures import ChooseRow, any_row, bullheads_a_round, cheapest, rounds_to_66

ROUNDS = 500


@pytest.mark.parametrize(("choose", "known"), [(cheapest, 12.11), (any_row, 13.34)])
def test_random_cards_cost_what_is_known(choose: ChooseRow, known: float) -> None:
    assert bullheads_a_round(ROUNDS, choose) == pytest.approx(known, abs=0.45)


def test_random_games_last_as_long_as_is_known() -> None:
    assert rounds_to_66(ROUNDS) == pytest.approx(4.42, abs=0.3)
