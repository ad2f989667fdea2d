"""Who comes in to a game, as the store can tell before it reads the game: the words on its door, and the keys to it.

So a game that somebody may not see costs the store, and whoever waits for its answer, what a game that is not there costs.
"""

from dataclasses import dataclass

from engine.audience import audience
from engine.game import Game

CODE = "code"
"""On a door: whoever has the join code may come in."""

LOBBY = "lobby"
"""On a door: whoever wants a seat may come in."""


@dataclass(frozen=True, slots=True)
class DoorKey:
    """What somebody has to open a game with: words, one of which must stand on its door, or its join `code`.

    The code opens only a door on which `CODE` stands.
    """

    words: frozenset[str] = frozenset()
    code: str = ""


def door(game: Game) -> frozenset[str]:
    """Return the words that open a game: the players who may see it, `CODE` and `LOBBY`; none for one open to all."""
    seen_by = audience(game)
    if seen_by is None:
        return frozenset()
    if game.options.visibility == "private":
        return seen_by | {CODE}
    return seen_by | {LOBBY} if game.status == "lobby" else seen_by


def is_for(game: Game, player: str | None) -> bool:
    """Return whether a player, or somebody unknown, may see a game."""
    seen_by = audience(game)
    return seen_by is None or player in seen_by
