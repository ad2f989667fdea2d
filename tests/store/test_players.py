"""What every store of players promises, on memory and on a real server."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier

import pytest
from redis import Redis

from service.store import players
from service.store.players import (
    ENTERED_MOST,
    Player,
    Players,
    TooManyGames,
)
from service.store.players_memory import MemoryPlayers
from service.store.players_server import RedisPlayers

ADA = Player("p_ada", "Ada é", "human", 1000)
BOT = Player("p_bot", "bot", "bot", 2000)
FIRST, SECOND, FIRST_OF_BOT = (players.new_token() for _ in range(3))


@pytest.fixture
def store(reopen: Callable[[], Players]) -> Players:
    made = reopen()
    made.create(ADA, FIRST, "laptop")
    return made


def test_creating_the_same_player_again_changes_nothing(store: Players) -> None:
    store.create(Player("p_ada", "other", "bot", 9), FIRST, "other")
    assert store.get("p_ada") == ADA
    assert [token.name for token in store.tokens("p_ada")] == ["laptop"]


def test_a_new_name_shows_everywhere(store: Players) -> None:
    renamed = Player("p_ada", "Countess", "human", 1000)
    assert store.change("p_ada", name="Countess") == renamed
    assert store.get("p_ada") == store.find(FIRST) == renamed
    assert store.change("p_none", name="nobody") is None
    assert store.get("p_none") is None


def test_games_of_a_player_come_newest_first(store: Players) -> None:
    made = [(1000 + number // 3, f"g_{number:02}") for number in range(30)]
    for created_ms, game in made:
        store.add_game("p_ada", game, created_ms)
    pages: list[tuple[int, str]] = []
    before = None
    while page := store.games_of("p_ada", 7, before):
        pages += page
        before = page[-1]
    assert pages == sorted(made, reverse=True)
    assert store.games_of("p_none", 10) == []


def test_what_others_may_find_of_a_player_s_games_is_noted_apart(store: Players) -> None:
    store.add_game("p_ada", "g_1", 1)
    store.add_game("p_ada", "g_2", 2, is_listed=False)
    assert store.games_of("p_ada", 10, of="listed") == [(1, "g_1")]
    store.add_game("p_ada", "g_1", 1, is_listed=False)
    store.list_game("p_ada", "g_2", 2, is_listed=True)
    assert store.games_of("p_ada", 10, of="listed") == [(2, "g_2")]
    store.list_game("p_ada", "g_2", 2, is_listed=False)
    assert store.games_of("p_ada", 10, of="listed") == []
    store.add_game("p_ada", "g_3", 3)
    store.drop_game("p_ada", "g_3")
    assert store.games_of("p_ada", 10, of="listed") == []
    assert store.games_of("p_ada", 10) == [(2, "g_2"), (1, "g_1")]


def test_an_ended_game_is_active_no_more_and_a_dropped_one_is_gone(store: Players) -> None:
    for number in range(3):
        store.add_game("p_ada", f"g_{number}", number)
    store.end_game("p_ada", "g_1")
    store.drop_game("p_ada", "g_2")
    store.drop_game("p_ada", "g_never")
    assert store.games_of("p_ada", 10) == [(1, "g_1"), (0, "g_0")]
    assert store.games_of("p_ada", 10, of="active") == [(0, "g_0")]


def test_games_are_numbered_as_they_are_entered_and_no_number_comes_again(store: Players) -> None:
    for game in ("g_2", "g_1", "g_3", "g_1"):
        store.add_game("p_ada", game, 5)
    store.end_game("p_ada", "g_2")
    assert store.entered("p_ada") == [(1, "g_2"), (2, "g_1"), (3, "g_3")]
    store.drop_game("p_ada", "g_3")
    store.drop_game("p_ada", "g_1")
    store.add_game("p_ada", "g_1", 5)
    assert store.entered("p_ada") == [(1, "g_2"), (4, "g_1")]
    assert store.entered("p_none") == []


def test_only_the_games_entered_last_are_known_in_their_order(store: Players) -> None:
    for number in range(1, ENTERED_MOST + 11):
        store.add_game("p_ada", f"g_{number}", 0)
    assert store.entered("p_ada") == [(number, f"g_{number}") for number in range(11, ENTERED_MOST + 11)]


def test_there_is_an_end_to_games_at_a_time_and_one_that_is_over_makes_room(store: Players) -> None:
    for number in range(3):
        store.add_game("p_ada", f"g_{number}", number, 3)
    with pytest.raises(TooManyGames):
        store.add_game("p_ada", "g_3", 3, 3)
    store.add_game("p_ada", "g_1", 1, 3)  # it stands there already
    store.create(BOT, SECOND, "")
    store.add_game("p_bot", "g_3", 3, 3)
    assert len(store.games_of("p_ada", 10)) == 3
    store.end_game("p_ada", "g_1")
    store.add_game("p_ada", "g_3", 3, 3)
    store.add_game("p_ada", "g_4", 4)


def test_of_many_seats_taken_at_once_no_more_than_the_bound_are(games_client: Redis) -> None:
    store = RedisPlayers(games_client)
    start = Barrier(12)

    def take(number: int) -> bool:
        start.wait()
        try:
            store.add_game("p_ada", f"g_{number}", number, 5)
        except TooManyGames:
            return False
        return True

    with ThreadPoolExecutor(12) as pool:
        assert sum(pool.map(take, range(12))) == 5
    assert len(store.games_of("p_ada", 20, of="active")) == 5


def test_memory_tells_whoever_waits_for_the_player() -> None:
    told: list[str] = []
    store = MemoryPlayers(told.append)
    store.create(ADA, FIRST, "")
    store.add_game("p_ada", "g_1", 1)
    assert told == ["p_ada"]
    store.issue("p_ada", SECOND, "phone", 1500)
    store.revoke("p_ada", players.token_id(SECOND))
    assert told == ["p_ada", "p_ada"]


def test_what_is_derived_depends_on_both_the_key_and_the_salt() -> None:
    derived = {
        derive(key, salt)
        for derive in (players.derived_token, players.derived_player_id)
        for key in ("key", "kez")
        for salt in (b"salt", b"salu")
        for _ in range(2)
    }
    assert len(derived) == 8
