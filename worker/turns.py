"""What follows in a game without anybody's choice: turns revealed and placed, rounds dealt, deadlines kept."""

from __future__ import annotations

from collections.abc import Callable

from engine.automatic import next_deadline
from engine.commands import Advance, Expire
from engine.game import Game
from engine.times import Millis
from service.store.play import Play, now


def advance(play: Play, game: str, clock: Callable[[], Millis] = now) -> Game:
    """The game after all that is due in it, and after answers for the seats whose time is up, with what follows from that.

    Harmless twice, late, or cut off half-way: each command takes effect once, and the rest stays due. Raises
    NoSuchGame and Unavailable.
    """
    state = play.execute(game, Advance()).live.game
    deadline = next_deadline(state)
    if deadline is not None and deadline <= clock():
        state = play.execute(game, Expire()).live.game
    return state
