"""What follows in a game without anybody's choice: turns revealed and placed, rounds dealt, deadlines kept."""

from __future__ import annotations

from collections.abc import Callable

from engine.commands import Advance, Expire
from engine.decisions import next_deadline
from engine.times import Millis
from service.store.play import Play, now


def advance(play: Play, game: str, clock: Callable[[], Millis] = now) -> None:
    """Do all that is due in a game, then answer for the seats whose time is up, with what follows from that.

    Harmless twice, late, or cut off half-way: each command takes effect once, and the rest stays due. Raises
    NoSuchGame and Unavailable.
    """
    done = play.execute(game, Advance())
    deadline = next_deadline(done.live.game)
    if deadline is not None and deadline <= clock():
        play.execute(game, Expire())
