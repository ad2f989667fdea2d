"""Who may see a game."""

from typing import Any

import pytest

from engine import commands as c
from engine.audience import audience
from engine.decide import create
from engine.evolve import created
from engine.resolve import resolve
from tests.rules.table import START, after, context, lobby, seated, started


@pytest.mark.parametrize("visibility", ["listed", "unlisted"])
def test_a_game_that_is_not_private_is_for_everybody(visibility: str) -> None:
    assert audience(lobby(visibility=visibility)) is None
    assert audience(started(visibility=visibility)) is None


@pytest.mark.parametrize("options", [{"visibility": "private"}, {"spectators": False}])
def test_any_other_is_for_its_host_and_those_who_sit_at_it(options: dict[str, Any]) -> None:
    assert audience(lobby(**options)) == frozenset({"p0"})
    assert audience(after(lobby(3, **options), c.JoinSeat("p7", "n", "human"))) == frozenset({"p0", "p7"})
    assert audience(seated(3, **options)) == frozenset({"p0", "p1", "p2"})
    left = after(seated(3, **options), c.LeaveSeat("p0"))
    assert (left.host, audience(left)) == ("p1", frozenset({"p1", "p2"}))


def test_who_gave_a_seat_up_may_still_watch_and_a_house_bot_is_nobody() -> None:
    game = after(
        lobby(3, visibility="private"),
        *(c.JoinSeat(f"p{seat}", "n", "human", seat, accept_bots=True) for seat in (0, 1)),
        c.SeatBot("p0", 2, "random"),
        c.StartGame("p0"),
        c.Resign("p1"),
    )
    assert audience(game) == frozenset({"p0", "p1"})


def test_a_rematch_is_for_those_whose_seats_are_kept_until_it_starts() -> None:
    options = resolve({"seats": 2, "visibility": "private"})
    first = create(c.CreateGame("g_test", "p0", options, "g_past", ("p1", None)), context())
    game = created("g_test", first, START)
    assert audience(game) == frozenset({"p0", "p1"})
    playing = after(
        game, c.JoinSeat("p0", "n", "human", accept_bots=True), c.SeatBot("p0", 1, "random"), seconds=121
    )
    assert audience(playing) == frozenset({"p0", "p1"})
    assert audience(after(playing, c.StartGame("p0"), seconds=121)) == frozenset({"p0"})
