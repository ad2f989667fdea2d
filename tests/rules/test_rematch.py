"""A rematch: the seats of the game before are kept for those who held them, for two minutes."""

from __future__ import annotations

from typing import Any

import pytest

from engine import commands as c, events as e
from engine.decide import act, create
from engine.evolve import created
from engine.game import Game
from engine.players import By
from engine.resolve import resolve
from tests.rules.table import START, after, context, later, lobby, refused

KEPT = ("p1", None, "p0")


def rematch(**agreed: Any) -> Game:
    """A table for three that p0 has opened: seat 0 is kept for p1, seat 2 for p0."""
    return created("g_test", create(opening(**agreed), context()), START)


def opening(**agreed: Any) -> c.CreateGame:
    """The wish for it."""
    return c.CreateGame("g_test", "p0", resolve({"seats": 3, **agreed}), "g_past", KEPT)


def join(player: str, seat: int | None = None) -> c.JoinSeat:
    """A person's wish for a seat."""
    return c.JoinSeat(player, "n", "human", seat, accept_bots=True)


def holders(game: Game) -> list[str | None]:
    """The players by seat."""
    return [holder.player if holder else None for holder in game.seats]


def test_a_rematch_names_the_game_before_it_and_how_long_its_seats_are_kept() -> None:
    event = create(opening(), context(seconds=5))
    assert (event.rematch_of, event.kept, event.kept_until) == ("g_past", KEPT, later(125))
    first = create(c.CreateGame("g_test", "p0", resolve({"seats": 3})), context())
    assert (first.rematch_of, first.kept, first.kept_until) == (None, (), None)


def test_everybody_comes_back_to_the_own_seat() -> None:
    assert holders(after(rematch(), join("p0"), join("p1"))) == ["p1", None, "p0"]


def test_others_get_only_what_is_not_kept() -> None:
    game = after(rematch(), join("p9"))
    assert holders(game) == [None, "p9", None]
    for seat in (None, 0, 2):
        assert refused(game, join("p8", seat)).code == "seat_kept"
    assert refused(game, join("p1", 2)).code == "seat_kept"
    assert refused(game, c.SeatBot("p0", 0, "random")).code == "seat_kept"
    assert after(game, c.SeatBot("p0", 0, "random"), seconds=120).taken[0].kind == "house"


def test_after_two_minutes_seats_are_free_for_all() -> None:
    assert refused(rematch(), join("p8", 0), seconds=119.999).code == "seat_kept"
    assert holders(after(rematch(), join("p8", 0), seconds=120)) == ["p8", None, None]


def test_who_is_kept_a_seat_may_take_another_that_is_free() -> None:
    assert holders(after(rematch(), join("p1", 1))) == [None, "p1", None]


def test_a_seat_that_the_table_gained_is_kept_for_nobody() -> None:
    grown = after(rematch(), c.ChangeOptions("p0", {"seats": 4}))
    assert holders(after(grown, join("p7"), join("p8"), join("p0"))) == [None, "p7", "p0", "p8"]
    shrunk = after(rematch(), c.ChangeOptions("p0", {"seats": 2}))
    assert holders(after(shrunk, join("p0"), join("p1"))) == ["p1", "p0"]


@pytest.mark.parametrize(
    ("agreed", "wanted", "pointer"),
    [
        ({"visibility": "private"}, {"visibility": "unlisted"}, "/visibility"),
        ({"visibility": "private"}, {"visibility": "listed"}, "/visibility"),
        ({"visibility": "unlisted"}, {"visibility": "listed"}, "/visibility"),
        ({"spectators": False}, {"spectators": True}, "/spectators"),
    ],
)
def test_it_is_shown_to_nobody_to_whom_the_game_before_it_was_not(
    agreed: dict[str, Any], wanted: dict[str, Any], pointer: str
) -> None:
    game = rematch(**agreed)
    refusal = refused(game, c.ChangeOptions("p0", wanted))
    assert (refusal.code, refusal.pointers) == ("bad_options", (pointer,))
    assert after(game, c.ChangeOptions("p0", {"seats": 4} | agreed)).options.seats == 4
    assert after(rematch(**wanted), c.ChangeOptions("p0", agreed)).options == game.options
    assert after(lobby(**agreed), c.ChangeOptions("p0", wanted)).options != lobby(**agreed).options


def test_the_game_starts_as_any_other() -> None:
    game = after(rematch(), join("p0"), join("p1"), join("p9"))
    playing, events = act(game, c.StartGame("p0"), context())
    assert events[0] == e.GameStarted(("p1", "p9", "p0"), ("", "", ""), By("host"))
    assert playing.rematch_of == "g_past"
