"""A server that is full, restarted, killed or forgetful: nothing acknowledged is lost, nothing is half-written."""

import os
import signal
import time
from collections.abc import Callable, Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace

import pytest
from redis import Redis

from service.store import connect
from service.store.connect import Unavailable
from service.store.contract import Appended, Entry
from service.store.embedded import Embedded
from service.store.idempotency import Idempotency
from service.store.players import Player, new_token
from service.store.players_server import RedisPlayers
from service.store.server import RedisStore
from service.store.slots import RedisSlots

FIRST = Entry("g_1", 0, 1, b"[1]", b"state", {"master": "00"}, "playing", 1000, 10, 10)
SECOND = replace(FIRST, after=1, seq=2, events=b"[2]", secrets=None)


@pytest.fixture
def client(own_servers: Embedded) -> Iterator[Redis]:
    with connect.games_client(own_servers.urls.games, threads=4) as made:
        yield made


@pytest.fixture
def store(client: Redis) -> RedisStore:
    return RedisStore(client)


def everything(client: Redis) -> dict[bytes, bytes | None]:
    return {key: client.dump(key) for key in client.scan_iter()}


def test_a_full_memory_leaves_nothing_half_written(store: RedisStore, client: Redis) -> None:
    store.append(FIRST)
    before = everything(client)
    client.config_set("maxmemory", 1)
    with pytest.raises(Unavailable, match="full"):
        store.append(SECOND)
    with pytest.raises(Unavailable, match="full"):
        Idempotency(RedisSlots(client)).begin("p_1", "key", "body")
    with pytest.raises(Unavailable, match="full"):
        RedisPlayers(client).create(Player("p_1", "", "bot", 1), new_token(), "")
    with pytest.raises(Unavailable, match="full"):
        RedisPlayers(client).add_game("p_1", "g_1", 1)
    assert everything(client) == before
    loaded = store.load("g_1")
    assert loaded is not None
    assert loaded.seq == 1, "a full store can still be read"
    client.config_set("maxmemory", 0)
    assert store.append(SECOND) is Appended.RECORDED


def test_a_server_that_became_a_replica_is_unavailable(store: RedisStore, client: Redis) -> None:
    client.slaveof("127.0.0.1", 1)
    with pytest.raises(Unavailable):
        store.append(FIRST)
    client.slaveof()
    assert store.append(FIRST) is Appended.RECORDED


def test_a_frozen_server_is_waited_for_a_few_times_and_no_more(own_servers: Embedded) -> None:
    patience_s = 0.2
    with connect.games_client(own_servers.urls.games, threads=4, patience_s=patience_s) as client:
        store, pid = RedisStore(client), client.info("server")["process_id"]
        (line,) = client.connection_pool._connections
        line.next_health_check = 0  # as after half a minute of silence
        os.kill(pid, signal.SIGSTOP)
        try:
            for _ in range(2):  # on a connection that is open, and on a new one
                began_s = time.monotonic()
                with pytest.raises(Unavailable, match="away"):
                    store.load("g_1")
                assert time.monotonic() - began_s < (connect.RETRIES + 2) * patience_s + 1
        finally:
            os.kill(pid, signal.SIGCONT)
        assert store.append(FIRST) is Appended.RECORDED


def test_a_server_that_forgot_the_scripts_is_told_again(store: RedisStore, client: Redis) -> None:
    store.append(FIRST)
    client.script_flush()
    assert store.append(SECOND) is Appended.RECORDED
    client.script_flush()
    assert store.load("g_1") is not None


def test_a_restarted_server_has_everything(store: RedisStore, client: Redis, own_servers: Embedded) -> None:
    token = new_token()
    RedisPlayers(client).create(Player("p_1", "ada", "human", 1), token, "")
    store.append(FIRST)
    before = everything(client)
    for server in own_servers.servers:
        server.stop()
    with pytest.raises(Unavailable, match="away"):
        store.append(SECOND)
    assert own_servers.ensure() == ("games", "queue")
    assert everything(client) == before
    assert RedisPlayers(client).find(token) is not None
    assert store.append(SECOND) is Appended.RECORDED


def test_a_killed_server_has_all_that_was_acknowledged(
    store: RedisStore, client: Redis, own_servers: Embedded, until: Callable[[Callable[[], bool]], None]
) -> None:
    acknowledged: list[int] = []

    def entry(seq: int) -> Entry:
        secrets = FIRST.secrets if seq == 1 else None
        return replace(FIRST, after=seq - 1, seq=seq, events=b"[%d]" % seq, secrets=secrets)

    def write() -> int:
        """Append until the server is gone, and return the seq whose answer never came."""
        seq = 1
        try:
            while store.append(entry(seq)) is Appended.RECORDED:
                acknowledged.append(seq)
                seq += 1
        except Unavailable:
            return seq
        raise AssertionError("an append of the only writer was refused")

    pid: int = client.info("server")["process_id"]
    with ThreadPoolExecutor() as pool:
        open_seq = pool.submit(write)
        until(lambda: len(acknowledged) >= 50)
        os.kill(pid, signal.SIGKILL)
        last = open_seq.result()
    until(lambda: own_servers.ensure() == ("games",))
    assert list(store.log("g_1"))[: last - 1] == [b"[%d]" % seq for seq in acknowledged]
    assert store.append(entry(last)) in (Appended.RECORDED, Appended.REPEATED)
    assert store.append(entry(last + 1)) is Appended.RECORDED
    assert len(list(store.log("g_1"))) == last + 1
