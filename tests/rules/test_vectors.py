"""The worked cases of tests/vectors/rules.jsonl, except turns, which tests/rules/test_simulate.py plays."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path
from typing import Any

import pytest

from engine import commands as c
from engine.cards import BULLHEADS, JOKERS, bullheads, is_joker
from engine.decide import decide
from engine.decisions import open_decisions
from engine.errors import Refusal
from engine.options import End
from engine.outcome import is_over, standings
from engine.resolve import resolve
from engine.wire import read
from tests.rules.table import after, context, started

VECTORS: list[dict[str, Any]] = [
    json.loads(line)
    for line in (Path(__file__).parents[1] / "vectors" / "rules.jsonl").read_text().splitlines()
]


def cases(*kinds: str) -> pytest.MarkDecorator:
    """A test's table: the cases of these kinds, by their ids."""
    chosen = [vector for vector in VECTORS if vector["kind"] in kinds]
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
        assert refused.value.pointers[0] == "/seats"
        return
    game = started(case["players"], ruleset=case["mode"])
    while game.phase == "draft":
        game = after(game, c.Pick(game.drafter, 1, game.picks + 1, game.pool[0]), c.Advance())
    low, high = game.rules.deck_range(case["players"])
    dealt = [card for cards in (*game.hands, *game.rows) for card in cards]
    jokers = len([card for card in dealt if is_joker(card)])
    expected = case["expect"]
    assert high - low + 1 == expected["deck"]
    assert {len(hand) for hand in game.hands} == {expected["hand"]} == {expected["turns"]}
    assert high - low + 1 - (len(dealt) - jokers) == expected["unused"]
    assert len(JOKERS) - jokers == expected.get("jokers_unused", len(JOKERS))
    assert not any(is_joker(row[0]) for row in game.rows)


@cases("pickorder")
def test_seats_pick_in_their_order(case: dict[str, Any]) -> None:
    game = started(case["players"], ruleset="pro", first_drafter=case["first"])
    picked: list[int] = []
    while game.phase == "draft":
        (decision,) = open_decisions(game)
        assert decision.key.number == len(picked) + 1
        picked.append(decision.seat)
        game = after(game, c.Pick(decision.seat, 1, len(picked), game.pool[-1]), c.Advance())
    assert picked[: len(case["seats"])] == case["seats"]
    assert len(picked) == case["total"]


@cases("draft")
def test_a_draft_leaves_its_hands_and_rows(case: dict[str, Any]) -> None:
    game = started(case["players"], ruleset="pro", first_drafter=case["first"])
    *picks, last = case["picks"]
    for number, card in enumerate(picks, 1):
        game = after(game, c.Pick(game.drafter, 1, number, card))
    final = c.Pick(game.drafter, 1, len(case["picks"]), last)
    if case.get("reject"):
        before = repr(game)
        with pytest.raises(Refusal, match="card_not_in_draft"):
            decide(game, final, context())
        assert repr(game) == before
        return
    game = after(game, final, c.Advance())
    assert [sorted(hand) for hand in game.hands] == [sorted(hand) for hand in case["hands"]]
    assert [list(row) for row in game.rows] == case["rows"]


def test_every_case_is_played() -> None:
    played_here = {"heads", "deck", "end", "match", "setup", "pickorder", "draft"}
    played_as_turns = {"turn"}
    assert {vector["kind"] for vector in VECTORS} == played_here | played_as_turns
