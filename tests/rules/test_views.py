"""What a view holds, on every seat and for the public, at every moment of a game."""

from __future__ import annotations

import json
from collections import Counter
from typing import Any

from hypothesis import given

from engine import commands as c
from engine.cards import bullheads
from engine.views import SCHEMA, view
from tests.rules.chosen import games
from tests.rules.table import START, Step, after, context, laid, lay, lobby, played, stacked, started
from tests.searching import examples

LOW = stacked([(1, 60, *range(61, 69)), (50, 70, *range(71, 79))], (20, 30, 40, 45))


@examples(15)
@given(games(max_seats=5))
def test_every_field_is_always_there_and_ready_for_json(done: list[Step]) -> None:
    empty = view(lobby(), None, "")
    for step in done:
        for seat in (None, *range(len(step.after.seats))):
            shown = view(step.after, seat, "h")
            assert json.loads(json.dumps(shown)) == shown
            assert shown.keys() == empty.keys()
            assert (shown["you"], shown["head"], shown["seq"]) == (seat, "h", step.after.seq)
            hands = step.after.hands or ((),) * len(step.after.seats)
            assert shown["hand"] == ([] if seat is None else list(hands[seat]))


@examples(15)
@given(games(max_seats=5))
def test_what_is_public_adds_up(done: list[Step]) -> None:
    for step in done:
        game, shown = step.after, view(step.after, None, "")
        assert [row["cards"] for row in shown["rows"]] == [list(row) for row in game.rows]
        assert sum(row["bullheads"] for row in shown["rows"]) == bullheads(
            card for row in game.rows for card in row
        )
        assert Counter(shown["seen"]) == Counter(card for pile in game.piles for card in pile)
        for seat in shown["seats"]:
            number = seat["seat"]
            assert seat["hand_size"] == len(game.hands[number])
            assert seat["round_bullheads"] == bullheads(game.piles[number])
            assert seat["total_bullheads"] == game.totals[number]
            assert seat["laid"] is (shown["phase"] == "lay_card" and game.laid[number] is not None)
        assert shown["hands"] == (
            [list(hand) for hand in game.hands] if game.table == "open" and game.is_running else None
        )


def test_a_lobby_shows_free_seats_and_who_is_ready() -> None:
    game = after(lobby(3), c.JoinSeat("p0", "ada", "human"), c.SeatBot("p0", 2, "random"))
    shown = view(game, 0, "")
    assert (shown["schema"], shown["status"], shown["phase"], shown["round"]) == (SCHEMA, "lobby", None, 0)
    first, free, house = shown["seats"]
    assert free is None
    assert (first["player"], first["name"], first["ready"], first["controller"]) == (
        "p0",
        "ada",
        False,
        "player",
    )
    assert (house["player"], house["level"], house["ready"], house["controller"]) == (
        None,
        "random",
        True,
        "house",
    )
    assert (shown["hand"], shown["rows"], shown["standings"], first["hand_size"]) == ([], [], [], 0)


def test_a_laid_card_is_shown_to_its_seat_alone() -> None:
    game = started()
    card = game.hands[0][6]
    game = after(game, lay(game, 0, card))
    assert [view(game, seat, "")["laid_card"] for seat in (0, 1, None)] == [card, None, None]
    assert [seat["laid"] for seat in view(game, None, "")["seats"]] == [True, False]


def test_a_row_choice_is_shown_to_everybody() -> None:
    game = laid(started(chance=LOW), 1, 50, chance=LOW)
    for seat in (None, 0, 1):
        shown = view(game, seat, "")
        assert (shown["phase"], shown["laid_card"]) == ("choose_row", None)
        assert shown["pending"] == {"seat": 0, "card": 1, "why": "too_low", "rows": [["take"]] * 4}
        assert shown["plays"] == shown["queue"] == [{"seat": 0, "card": 1}, {"seat": 1, "card": 50}]


def test_the_result_says_that_the_lowest_wins() -> None:
    done = played(2, 3, end={"rounds": 1})
    shown = view(done[-1].after, None, "")
    assert (shown["status"], shown["phase"], shown["pending"]) == ("finished", None, None)
    assert shown["rules"]["lowest_wins"] is True
    totals = [place["total_bullheads"] for place in shown["standings"]]
    assert [place["winner"] for place in shown["standings"]] == [total == min(totals) for total in totals]
    assert shown["rules"]["end"] == {"rounds": 1}


def test_timeouts_are_shown() -> None:
    game = after(started(pace="blitz"), c.Expire(), seconds=20)
    shown: list[dict[str, Any]] = view(game, None, "")["seats"]
    assert [seat["timeouts"] for seat in shown] == [1, 1]
    assert context(seconds=20).now - START == 20_000
