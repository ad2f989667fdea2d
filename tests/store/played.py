"""Games in a store, for tests: opened, played, by a clock that the test moves, with whoever is woken."""

from __future__ import annotations

from engine import commands as c
from engine.game import Game
from engine.resolve import resolve
from engine.times import Millis
from service.store.contract import Kind
from service.store.play import Play

MASTER = bytes(range(32))


class Clock:
    """A clock that the test moves."""

    def __init__(self) -> None:
        self.now = 1_000_000

    def __call__(self) -> Millis:
        return Millis(self.now)


class Wakes(list[tuple[Kind, str]]):
    """Remembers whom it was asked to wake."""

    def wake(self, kind: Kind, game: str) -> None:
        self.append((kind, game))


def opened(
    play: Play, *, seats: int = 2, bots: tuple[int, ...] = (), game: str = "g_1", **options: object
) -> Game:
    """A started game whose first seat is p0's; the seats in `bots` are house bots."""
    play.create(
        c.CreateGame(game, "p0", resolve({"ruleset": "classic", "seats": seats, **options})),
        master=MASTER,
        join_code="CODE",
        then=(c.JoinSeat("p0", "n0", "human"),),
    )
    for seat in range(1, seats):
        if seat in bots:
            play.execute(game, c.SeatBot("p0", seat, "random"))
        else:
            play.execute(game, c.JoinSeat(f"p{seat}", f"n{seat}", "human", seat, accept_bots=True))
    return play.execute(game, c.StartGame("p0")).live.game


def lay(game: Game, seat: int, index: int = 0) -> c.LayCard:
    return c.LayCard(seat, game.round, game.turn, game.hands[seat][index])
