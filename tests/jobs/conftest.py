"""Games for the jobs' tests: on a real store, with a queue that only remembers whom it woke."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field

import pytest
from redis import Redis

from engine import commands as c
from engine.game import Game
from engine.resolve import resolve
from service.store.contract import GameStore, Kind
from service.store.play import Play
from service.store.server import RedisStore

MASTER = bytes(range(32))


@dataclass
class Wakes:
    """Remembers whom it was asked to wake."""

    sent: list[tuple[Kind, str]] = field(default_factory=list)

    def wake(self, kind: Kind, game: str) -> None:
        self.sent.append((kind, game))


@pytest.fixture
def store(games_client: Redis) -> GameStore:
    """An empty store on a real server."""
    return RedisStore(games_client)


@pytest.fixture
def wakes() -> Wakes:
    return Wakes()


@pytest.fixture
def play(store: GameStore, wakes: Wakes) -> Play:
    return Play(store, wakes)


@pytest.fixture
def opened(play: Play) -> Callable[..., Game]:
    """Starts a game: `opened(seats=3, bots={1: "random"}, name="g_1", **options)`, seat 0 held by the host p0."""

    def open_game(
        *, seats: int = 2, bots: dict[int, str] | None = None, name: str = "g_1", **options: object
    ) -> Game:
        bots = bots or {}
        wanted = resolve({"ruleset": "classic", "seats": seats, "pace": "untimed", **options})
        play.create(c.CreateGame(name, "p0", wanted), master=MASTER, join_code="CODE")
        for seat in range(seats):
            command: c.Command = (
                c.SeatBot("p0", seat, bots[seat])
                if seat in bots
                else c.JoinSeat(f"p{seat}", f"n{seat}", "human", seat, accept_bots=True)
            )
            play.execute(name, command)
        return play.execute(name, c.StartGame("p0")).live.game

    return open_game
