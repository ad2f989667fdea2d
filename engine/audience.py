"""Who may see a game: everybody, or those whom it concerns."""

from __future__ import annotations

from engine.game import Game


def audience(game: Game) -> frozenset[str] | None:
    """The players who may see a game; None where everybody may, whether or not one knows who they are.

    A private game, and one without spectators, is for its host, for those who sit or sat at it, and in the lobby of a
    rematch for those whose seats are kept.
    """
    if game.options.visibility != "private" and game.options.spectators:
        return None
    kept = game.kept if game.status == "lobby" else ()
    concerned = (game.host, *(holder.player for holder in game.taken), *kept)
    return frozenset(player for player in concerned if player is not None)
