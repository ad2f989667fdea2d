"""The worked cases of tests/vectors/rules.jsonl, except turns, which tests/rules/test_simulate.py plays."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from engine.cards import BULLHEADS, bullheads
from engine.errors import Refusal
from engine.options import End
from engine.outcome import is_over, standings
from engine.resolve import resolve
from engine.wire import read
from tests.rules.table import started

VECTORS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "vectors" / "rules.jsonl").read_text().splitlines()
]

LATER = {
    "C05": "pro is not a rule set yet",
    "C06": "pro is not a rule set yet",
    "C07": "Jokers are placed, but no rule set deals them yet",
    "C09": "tactics is not a rule set yet",
    "P01": "only pro has a draft",
    "P02": "only pro has a draft",
    "P03": "only pro has a draft",
    "P05": "only pro has a draft",
    "P06": "only pro has a draft",
}
"""The cases that nothing plays yet, and why."""


def cases(*kinds: str) -> pytest.MarkDecorator:
    """A test's table: the cases of these kinds that are played, by their ids."""
    chosen = [vector for vector in VECTORS if vector["kind"] in kinds and vector["id"] not in LATER]
    return pytest.mark.parametrize("case", chosen, ids=[vector["id"] for vector in chosen])


def winners_and_ranks(totals: dict[str, int]) -> tuple[list[str], dict[str, int]]:
    """Who won, and the place of each player."""
    places = standings(tuple(totals.values()))
    by_player = dict(zip(totals, places, strict=True))
    ranks = {player: place.rank for player, place in by_player.items()}
    return [player for player, place in by_player.items() if place.winner], ranks


@cases("heads")
def test_cards_are_worth_their_bullheads(case: dict[str, Any]) -> None:
    assert bullheads(case["cards"]) == case["points"]


@cases("deck")
def test_a_deck_holds_its_bullheads(case: dict[str, Any]) -> None:
    cards = range(1, case["to"] + 1)
    assert bullheads(cards) == case["points"]
    counts = Counter(str(BULLHEADS[card]) for card in cards)
    assert case.get("counts", counts) == counts


@cases("end")
def test_a_game_ends_when_its_condition_holds(case: dict[str, Any]) -> None:
    totals = tuple(case["totals"].values())
    assert is_over(read(End, case["end"]), totals, case.get("rounds_done", 1)) is case["finished"]
    if case["finished"]:
        winners, ranks = winners_and_ranks(case["totals"])
        assert winners == case["winners"]
        assert case.get("ranks", ranks) == ranks


@cases("match")
def test_a_match_ends_after_its_round_and_has_its_winners(case: dict[str, Any]) -> None:
    end, totals = read(End, case["end"]), dict.fromkeys(case["rounds"][0], 0)
    finished_after = None
    for number, gained in enumerate(case["rounds"], 1):
        totals = {player: total + gained[player] for player, total in totals.items()}
        if is_over(end, tuple(totals.values()), number):
            finished_after = number
            break
    assert (finished_after, totals) == (case["finished_after"], case["totals"])
    assert winners_and_ranks(totals)[0] == case["winners"]


@cases("setup")
def test_a_table_is_set_up_as_its_rule_set_says(case: dict[str, Any]) -> None:
    request = {"ruleset": case["mode"], "seats": case["players"]}
    if case.get("reject"):
        with pytest.raises(Refusal, match="bad_options") as refused:
            resolve(request)
        assert refused.value.pointers == ("/seats",)
        return
    game = started(case["players"], ruleset=case["mode"])
    low, high = game.rules.deck_range(case["players"])
    dealt = sum(map(len, game.hands)) + sum(map(len, game.rows))
    expected = case["expect"]
    assert high - low + 1 == expected["deck"]
    assert {len(hand) for hand in game.hands} == {expected["hand"]} == {expected["turns"]}
    assert high - low + 1 - dealt == expected["unused"]


def test_every_case_is_played_or_says_why_not() -> None:
    played_here = {"heads", "deck", "end", "match", "setup"}
    played_as_turns = {"turn"}
    left = {vector["id"] for vector in VECTORS if vector["kind"] not in played_here | played_as_turns}
    refused = {vector["id"] for vector in VECTORS if vector.get("mode") in ("pro", "tactics")}
    jokers_dealt = {
        vector["id"] for vector in VECTORS if (vector["kind"], vector.get("mode")) == ("setup", "jokers")
    }
    assert LATER.keys() == left | refused | jokers_dealt
