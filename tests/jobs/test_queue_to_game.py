"""From a wake-up to the game: jobs by name through RQ, run by the worker's own class, on real servers."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import rq
from redis import Redis
from rq.job import Job
from rq.registry import FailedJobRegistry
from rq.serializers import JSONSerializer

from engine import commands as c
from engine.decisions import Decision, open_decisions
from engine.game import Game
from engine.resolve import resolve
from service.store.connect import Unavailable
from service.store.contract import Kind
from service.store.embedded import Urls
from service.store.play import Play
from worker import connection, jobs
from worker.connection import Connection
from worker.process import Worker

KINDS: tuple[Kind, ...] = ("bots", "turns")


@pytest.fixture
def at(
    redis_urls: Urls, games_client: Redis, queue_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> Iterator[Connection]:
    """The connection that the jobs of this process use."""
    monkeypatch.setenv("TAKE5_REDIS_URL", redis_urls.games)
    monkeypatch.setenv("TAKE5_QUEUE_URL", redis_urls.queue)
    connection.current.cache_clear()
    yield connection.current()
    connection.current.cache_clear()


def open_game(play: Play, *, bots: int, seats: int = 3) -> Game:
    play.create(
        c.CreateGame("g_1", "p0", resolve({"ruleset": "classic", "seats": seats, "end": {"rounds": 1}})),
        master=bytes(32),
        join_code="C",
    )
    for seat in range(seats):
        play.execute(
            "g_1",
            c.SeatBot("p0", seat, "random")
            if seat < bots
            else c.JoinSeat(f"p{seat}", "n", "human", accept_bots=True),
        )
    return play.execute("g_1", c.StartGame("p0")).live.game


def do_jobs(client: Redis, kind: Kind) -> None:
    worker = Worker([kind], connection=client, serializer=JSONSerializer)
    worker.work(burst=True, logging_level="ERROR")


def test_a_game_of_bots_is_played_to_its_end_by_wake_ups_alone(at: Connection, queue_client: Redis) -> None:
    open_game(at.play, bots=3)
    rounds = 0
    while at.play.live("g_1").game.status == "playing":
        assert at.queue.waiting("turns") + at.queue.waiting("bots") > 0, "nobody was woken"
        do_jobs(queue_client, "bots")
        do_jobs(queue_client, "turns")
        rounds += 1
    assert at.play.live("g_1").game.standings
    assert rounds >= 10


def test_jobs_that_come_twice_or_after_the_game_change_nothing(at: Connection, queue_client: Redis) -> None:
    open_game(at.play, bots=3)
    while at.play.live("g_1").game.status == "playing":
        for kind in KINDS:
            for _ in range(2):
                at.queue.wake(kind, "g_1")
            do_jobs(queue_client, kind)
    done = at.play.log("g_1")
    for kind in KINDS:
        at.queue.wake(kind, "g_1")
        do_jobs(queue_client, kind)
    assert at.play.log("g_1") == done
    assert sum(envelope["type"] == "turn.revealed" for envelope in done) == 10


def test_a_game_that_is_over_is_active_for_nobody(at: Connection, queue_client: Redis) -> None:
    at.players.add_game("p2", "g_1", 1)
    game = open_game(at.play, bots=2)
    assert at.players.games_of("p2", 9, of="active") == [(1, "g_1")]
    while at.play.live("g_1").game.status == "playing":
        game = at.play.live("g_1").game
        for decision in open_decisions(game):
            if decision.seat == 2:
                at.play.execute("g_1", answer(game, decision))
        for kind in KINDS:
            do_jobs(queue_client, kind)
    assert at.players.games_of("p2", 9, of="active") == []
    assert at.players.games_of("p2", 9) == [(1, "g_1")]


def test_a_seat_that_was_given_up_is_an_active_game_no_more(at: Connection) -> None:
    for player in ("p1", "p2"):
        at.players.add_game(player, "g_1", 1)
    open_game(at.play, bots=1)
    at.play.execute("g_1", c.Resign("p2"))
    jobs.advance("g_1")
    assert at.players.games_of("p2", 9, of="active") == []
    assert at.players.games_of("p2", 9) == at.players.games_of("p1", 9, of="active") == [(1, "g_1")]


def answer(game: Game, decision: Decision) -> c.Command:
    if decision.cards:
        return c.LayCard(2, game.round, game.turn, decision.cards[0])
    return c.ChooseRow(2, game.round, game.turn, 0)


def test_nothing_is_left_in_the_queue_s_store_by_a_job_that_is_done(
    at: Connection, queue_client: Redis
) -> None:
    open_game(at.play, bots=1)
    do_jobs(queue_client, "bots")
    queue = rq.Queue("bots", connection=queue_client, serializer=JSONSerializer)
    assert not list(queue_client.scan_iter("rq:job:*"))
    assert FailedJobRegistry(queue=queue).count == 0


def test_a_job_ends_quietly_while_the_store_is_away(at: Connection, monkeypatch: pytest.MonkeyPatch) -> None:
    def away(game: str) -> None:
        raise Unavailable("the store is away")

    monkeypatch.setattr(at.store, "since", away)
    monkeypatch.setattr(at.store, "load", away)
    jobs.advance("g_1")
    jobs.play_bots("g_1")


def test_a_job_for_a_game_that_is_not_there_fails_where_people_look(
    at: Connection, queue_client: Redis
) -> None:
    at.queue.wake("turns", "g_none")
    do_jobs(queue_client, "turns")
    queue = rq.Queue("turns", connection=queue_client, serializer=JSONSerializer)
    (failed,) = FailedJobRegistry(queue=queue).get_job_ids()
    result = Job.fetch(failed, connection=queue_client, serializer=JSONSerializer).latest_result()
    assert result is not None
    assert "NoSuchGame" in str(result.exc_string)


def test_without_the_two_urls_there_is_no_connection(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("TAKE5_REDIS_URL", raising=False)
    monkeypatch.delenv("TAKE5_QUEUE_URL", raising=False)
    connection.current.cache_clear()
    with pytest.raises(ValueError, match="TAKE5_REDIS_URL"):
        connection.current()
