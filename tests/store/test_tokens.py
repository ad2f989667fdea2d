"""What every store of players promises of their tokens, on memory and on a real server."""

import re
from collections.abc import Callable
from threading import Barrier, Thread

import pytest
from redis import Redis

from service.store import keys, players, players_server
from service.store.players import (
    TOKENS_MAX,
    USED_TO_MS,
    LastToken,
    Player,
    Players,
    Token,
    TooManyTokens,
)
from service.store.players_server import RedisPlayers

ADA = Player("p_ada", "Ada é", "human", 1000)
BOT = Player("p_bot", "bot", "bot", 2000)
FIRST, SECOND, FIRST_OF_BOT = (players.new_token() for _ in range(3))


@pytest.fixture
def store(reopen: Callable[[], Players]) -> Players:
    made = reopen()
    made.create(ADA, FIRST, "laptop")
    return made


def test_a_player_is_found_by_id_and_by_token(store: Players) -> None:
    assert store.get("p_ada") == ADA
    assert store.find(FIRST) == ADA
    assert store.find(FIRST) == ADA
    assert store.get("p_none") is None
    assert store.find(SECOND) is None
    assert store.find("") is None


def test_a_player_may_have_several_tokens(store: Players) -> None:
    issued = store.issue("p_ada", SECOND, "phone", 1500)
    assert issued == Token(players.token_id(SECOND), "phone", 1500)
    assert store.issue("p_ada", SECOND, "again", 1600) == issued
    assert store.tokens("p_ada") == [Token(players.token_id(FIRST), "laptop", 1000), issued]
    assert store.find(SECOND) == ADA
    assert store.tokens("p_none") == []


def test_a_revoked_token_ends_at_once_in_every_process(store: Players, reopen: Callable[[], Players]) -> None:
    store.issue("p_ada", SECOND, "phone", 1500)
    other = reopen()
    assert other.find(SECOND) == ADA
    assert store.revoke("p_ada", players.token_id(SECOND))
    assert other.find(SECOND) is None
    assert store.find(SECOND) is None
    assert reopen().find(SECOND) is None
    assert store.find(FIRST) == ADA
    assert not store.revoke("p_ada", players.token_id(SECOND))
    assert not store.revoke("p_none", players.token_id(FIRST))


def test_the_last_use_of_a_token_is_known_to_the_minute(
    store: Players, reopen: Callable[[], Players]
) -> None:
    def used() -> list[int | None]:
        return [token.used_ms for token in reopen().tokens("p_ada")]

    store.issue("p_ada", SECOND, "phone", 1500)
    store.find(FIRST)
    assert used() == [None, None]
    for now_ms in (2 * USED_TO_MS + 7, 3 * USED_TO_MS - 1, USED_TO_MS):
        assert store.find(FIRST, now_ms) == ADA
        assert used() == [2 * USED_TO_MS, None]
    reopen().find(FIRST, 3 * USED_TO_MS)
    assert used() == [3 * USED_TO_MS, None]
    store.revoke("p_ada", players.token_id(FIRST))
    assert used() == [None]
    store.issue("p_ada", FIRST, "good again", 1600)
    assert used() == [None, None]


def test_a_token_that_is_used_all_the_time_is_noted_once_a_minute(games_client: Redis) -> None:
    stores = [RedisPlayers(games_client) for _ in range(2)]
    stores[0].create(ADA, FIRST, "laptop")
    games_client.config_resetstat()
    for now_ms in range(60 * USED_TO_MS, 62 * USED_TO_MS, 1000):
        for store in stores:
            store.find(FIRST, now_ms)
    assert games_client.info("commandstats")["cmdstat_hset"]["calls"] == 2


def test_a_use_that_cannot_be_noted_keeps_nobody_out(
    games_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    store = RedisPlayers(games_client)
    store.create(ADA, FIRST, "laptop")
    games_client.config_set("maxmemory", 1)
    try:
        assert store.find(FIRST, 5 * USED_TO_MS) == ADA
    finally:
        games_client.config_set("maxmemory", 0)
    assert [token.used_ms for token in store.tokens("p_ada")] == [None]


def test_a_use_is_not_noted_of_a_token_that_has_just_been_revoked(games_client: Redis) -> None:
    store = RedisPlayers(games_client)
    store.create(ADA, FIRST, "laptop")
    store.issue("p_ada", SECOND, "phone", 1500)
    store.revoke("p_ada", players.token_id(SECOND))
    before = games_client.hgetall(keys.player("p_ada"))
    store._note_use("p_ada", players.digest(SECOND), USED_TO_MS)
    assert games_client.hgetall(keys.player("p_ada")) == before


def test_the_last_token_stays(store: Players) -> None:
    with pytest.raises(LastToken):
        store.revoke("p_ada", players.token_id(FIRST))
    assert store.find(FIRST) == ADA


def test_of_two_tokens_revoked_at_once_one_stays(store: Players) -> None:
    store.issue("p_ada", SECOND, "phone", 1500)
    barrier, refused = Barrier(2), []

    def revoke(token: str) -> None:
        barrier.wait()
        try:
            store.revoke("p_ada", players.token_id(token))
        except LastToken:
            refused.append(token)

    threads = [Thread(target=revoke, args=(token,)) for token in (FIRST, SECOND)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert [store.find(token) for token in refused] == [ADA]


def test_a_player_cannot_revoke_the_token_of_another(store: Players) -> None:
    store.create(BOT, SECOND, "")
    assert not store.revoke("p_ada", players.token_id(SECOND))
    assert store.find(SECOND) == BOT


def test_tokens_are_bounded(store: Players) -> None:
    tokens = [players.new_token() for _ in range(TOKENS_MAX)]
    for number, token in enumerate(tokens[:-1]):
        store.issue("p_ada", token, str(number), 2000 + number)
    with pytest.raises(TooManyTokens):
        store.issue("p_ada", tokens[-1], "one too many", 3000)
    assert store.find(tokens[-1]) is None
    assert len(store.tokens("p_ada")) == TOKENS_MAX
    store.issue("p_ada", tokens[0], "already good", 3000)
    store.revoke("p_ada", players.token_id(FIRST))
    store.issue("p_ada", tokens[-1], "fits now", 3000)
    assert store.find(tokens[-1]) == ADA


def test_a_process_that_has_met_too_many_tokens_begins_anew(
    games_client: Redis, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(players_server, "_REMEMBERED_MAX", 1)
    store = RedisPlayers(games_client)
    store.create(ADA, FIRST, "")
    store.create(BOT, SECOND, "")
    for _ in range(2):
        assert store.find(FIRST) == ADA
        assert store.find(SECOND) == BOT


def test_a_token_whose_player_was_never_written_is_no_token(games_client: Redis) -> None:
    store = RedisPlayers(games_client)
    with pytest.raises(LookupError):
        store.issue("p_half", FIRST, "", 1)
    games_client.set(keys.token(players.digest(FIRST)), "p_half")
    assert store.find(FIRST) is None


def test_the_store_never_holds_a_token(games_client: Redis) -> None:
    store = RedisPlayers(games_client)
    store.create(ADA, FIRST, "laptop")
    held = [(key, games_client.dump(key)) for key in games_client.scan_iter()]
    assert len(held) == 2
    assert FIRST[3:].encode() not in repr(held).encode()


def test_ids_and_tokens_have_their_published_shape() -> None:
    for player_id in (players.new_player_id(), players.derived_player_id("key", b"salt")):
        assert re.fullmatch(r"p_[a-z2-7]{26}", player_id)
    for token in (players.new_token(), players.derived_token("key", b"salt")):
        assert re.fullmatch(r"t5_[A-Za-z0-9_-]{43}", token)
    assert players.new_token() != players.new_token()
    assert players.new_player_id() != players.new_player_id()
