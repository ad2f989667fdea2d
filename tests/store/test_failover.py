"""The store's server is lost and another takes its place: a replica, promoted; nobody's table ends with it."""

from __future__ import annotations

import os
import socket
from collections.abc import Callable, Iterator
from contextlib import ExitStack
from itertools import pairwise
from pathlib import Path

import pytest
from redis import Redis

from engine import commands as c
from engine.game import Game
from engine.log import fold_log
from engine.resolve import resolve
from engine.verify import verify_log
from service.config import Config
from service.services import connect as connect_services
from service.store import connect
from service.store.child import Server
from service.store.connect import Unavailable
from service.store.embedded import find_binary
from service.store.play import Play
from service.store.server import RedisStore

Until = Callable[[Callable[[], bool]], None]


class NoWakes:
    """A queue that nobody reads."""

    def wake(self, kind: str, game: str) -> None:
        """Do nothing."""


def free_port() -> int:
    with socket.create_server(("127.0.0.1", 0)) as probe:
        port: int = probe.getsockname()[1]
        return port


class Pair:
    """Two servers, the second a replica of the first, and one address that leads to whichever is in charge."""

    def __init__(self, place: Path, stack: ExitStack) -> None:
        held = os.open(place / "held", os.O_RDWR | os.O_CREAT)
        stack.callback(os.close, held)
        self.address = place / "games.sock"
        self.servers: list[Server] = []
        self.ports = [free_port(), free_port()]
        for number, port in enumerate(self.ports):
            home = place / f"server{number}"
            settings = {
                "port": str(port),
                "bind": "127.0.0.1",
                "appendonly": "yes",
                "save": "",
                "repl-diskless-sync-delay": "0",
            }
            server = Server(find_binary(), home, home / "s", settings, held)
            stack.callback(server.stop)
            server.start()
            self.servers.append(server)
        self.clients = [connect.games_client(server.url, threads=2) for server in self.servers]
        for client in self.clients:
            stack.callback(client.close)
        self.clients[1].replicaof("127.0.0.1", self.ports[0])
        self.lead_to(0)

    def lead_to(self, number: int) -> None:
        """Have the address lead to a server, as a floating address does."""
        self.address.unlink(missing_ok=True)
        self.address.symlink_to(self.servers[number]._home / "s")

    def is_in_step(self) -> bool:
        """Whether the replica has all that the first server has."""
        first, second = (client.info("replication") for client in self.clients)
        return bool(
            second["master_link_status"] == "up"
            and first["master_repl_offset"] == second["master_repl_offset"]
        )

    def promote(self) -> None:
        """Put the replica in charge."""
        self.clients[1].replicaof("NO", "ONE")
        self.lead_to(1)


@pytest.fixture
def pair(tmp_path: Path, until: Until) -> Iterator[Pair]:
    with ExitStack() as stack:
        made = Pair(tmp_path, stack)
        until(made.is_in_step)
        yield made


@pytest.fixture
def client(pair: Pair) -> Iterator[Redis]:
    with connect.games_client(f"unix://{pair.address}", threads=4, patience_s=0.5) as made:
        yield made


def opened(play: Play) -> Game:
    options = resolve({"ruleset": "classic", "seats": 2, "pace": "untimed", "end": {"rounds": 1}})
    seats = [c.JoinSeat(f"p{seat}", f"n{seat}", "human", seat) for seat in range(2)]
    play.create(c.CreateGame("g_1", "p0", options), master=bytes(32), join_code="C", then=tuple(seats))
    return play.execute("g_1", c.StartGame("p0")).live.game


def lay(game: Game, seat: int, place: int = 0) -> c.LayCard:
    return c.LayCard(seat, game.round, game.turn, game.hands[seat][place])


def test_a_table_goes_on_at_the_replica_with_all_that_had_reached_it(
    pair: Pair, client: Redis, until: Until
) -> None:
    play = Play(RedisStore(client), NoWakes())
    game = opened(play)
    play.execute("g_1", lay(game, 0))
    until(pair.is_in_step)
    pair.servers[0].stop()
    with pytest.raises(Unavailable):
        play.execute("g_1", lay(game, 1))
    pair.promote()
    done = play.execute("g_1", lay(game, 1))
    assert [laid is not None for laid in done.live.game.laid] == [True, True]
    play.execute("g_1", c.Advance())
    log = play.log("g_1")
    assert fold_log(log) == play.live("g_1")
    assert verify_log(log).outcome == "pending"


def test_a_server_that_is_told_to_follow_refuses_and_loses_nothing(
    pair: Pair, client: Redis, until: Until
) -> None:
    """A fail-over that is planned: the old server lives on as a replica, and clients may still be connected to it."""
    play = Play(RedisStore(client), NoWakes())
    game = opened(play)
    play.execute("g_1", lay(game, 0))
    until(pair.is_in_step)
    port = pair.ports[1]
    pair.promote()
    pair.clients[0].replicaof("127.0.0.1", port)
    client.connection_pool.disconnect()
    assert play.execute("g_1", lay(game, 1)).envelopes


def test_what_had_not_reached_the_replica_is_asked_for_again(pair: Pair, client: Redis, until: Until) -> None:
    """A fail-over that nobody planned may set a table back: then the decision is open again, and nothing is mixed up."""
    play, other = Play(RedisStore(client), NoWakes()), Play(RedisStore(client), NoWakes())
    game = opened(play)
    until(pair.is_in_step)
    pair.clients[1].replicaof("NO", "ONE")
    play.execute("g_1", lay(game, 0))  # acknowledged, and on the lost server alone
    pair.servers[0].stop()
    pair.lead_to(1)
    assert other.live("g_1").game == game
    other.execute("g_1", lay(game, 0, 1))
    done = play.execute("g_1", lay(game, 1))
    laid = done.live.game.laid[0]
    assert laid is not None
    assert laid.card == game.hands[0][1]
    assert fold_log(play.log("g_1")) == done.live
    chain = [(one["prev"], one["hash"]) for one in play.log("g_1")]
    assert all(before[1] == after[0] for before, after in pairwise(chain))


def test_who_only_reads_sees_the_server_that_is_in_charge(pair: Pair, client: Redis, until: Until) -> None:
    services = connect_services(
        Config(redis_url=f"unix://{pair.address}", queue_url=f"unix://{pair.address}")
    )
    try:
        game = opened(services.play)
        until(pair.is_in_step)
        pair.clients[1].replicaof("NO", "ONE")
        services.play.execute("g_1", lay(game, 0))
        pair.servers[0].stop()
        pair.lead_to(1)
        Play(RedisStore(client), NoWakes()).execute("g_1", lay(game, 0, 1))

        def sees_the_other_card() -> bool:
            laid = services.play.live("g_1").game.laid[0]
            return laid is not None and laid.card == game.hands[0][1]

        until(sees_the_other_card)
    finally:
        services.close()
