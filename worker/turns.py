"""What follows in a game without anybody's choice: turns revealed and placed, rounds dealt, deadlines kept."""

from __future__ import annotations

from engine.automatic import next_deadline
from engine.commands import Advance, Expire
from engine.game import Game
from service.store.play import Play


def advance(play: Play, game: str) -> Game:
    """The game after all that is due in it, and after answers for the seats whose time is up, with what follows from that.

    Harmless twice, late, or cut off half-way: each command takes effect once, and the rest stays due. Raises
    NoSuchGame and Unavailable.
    """
    state = play.execute(game, Advance()).live.game
    deadline = next_deadline(state, play.grace_ms)
    if deadline is not None and deadline <= play.clock():
        state = play.execute(game, Expire(play.grace_ms)).live.game
    return state
