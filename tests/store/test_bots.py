"""What every store of players promises about bots, and about who is being seated, on memory and on a real server."""

from collections.abc import Callable
from dataclasses import replace
from threading import Barrier, Thread

import pytest
from redis import Redis

from service.store import keys, players
from service.store.players import (
    BEGUN_MS,
    BOTS_MAX,
    SEATING_MS,
    Player,
    Players,
    TooManyBots,
    TooManyGames,
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


def test_a_bot_keeps_its_owner_and_its_promises(store: Players) -> None:
    bot = Player("p_max", "Max", "bot", 2000, owner="p_ada", most_games=3, invitations="anyone")
    store.create(bot, SECOND, "")
    assert store.get("p_max") == store.find(SECOND) == bot
    assert store.change("p_max") == bot
    changed = replace(bot, most_games=4, invitations="owner")
    assert store.change("p_max", most_games=4, invitations="owner") == changed
    assert store.find(SECOND) == changed


def test_bots_are_listed_for_their_owner_and_bounded(store: Players) -> None:
    def made(number: int) -> Player:
        return Player(f"p_{number:02}", "bot", "bot", 2000 + number, owner="p_ada")

    for number in reversed(range(BOTS_MAX)):
        store.own_bot("p_ada", made(number).id, made(number).created_ms)
        store.create(made(number), players.new_token(), "")
    assert store.bots("p_ada", 3000) == [made(number) for number in range(BOTS_MAX)]
    with pytest.raises(TooManyBots):
        store.own_bot("p_ada", "p_more", 3000)
    store.own_bot("p_ada", "p_00", 3000)
    store.remove("p_00")
    store.disown_bot("p_ada", "p_00")
    store.own_bot("p_ada", "p_more", 3000)
    assert store.bots("p_ada", 3000) == [made(number) for number in range(1, BOTS_MAX)]
    assert store.bots("p_none", 3000) == []


def test_a_bot_that_never_came_is_forgotten_after_a_while(store: Players) -> None:
    for number in range(BOTS_MAX):
        store.own_bot("p_ada", f"p_{number}", 2000)
    assert store.bots("p_ada", 2000 + BEGUN_MS) == []
    with pytest.raises(TooManyBots):
        store.own_bot("p_ada", "p_more", 2000)
    assert store.bots("p_ada", 2001 + BEGUN_MS) == []
    store.own_bot("p_ada", "p_more", 2000)


def test_of_bots_that_are_made_at_once_there_are_not_too_many(reopen: Callable[[], Players]) -> None:
    stores = [reopen() for _ in range(4)]
    stores[0].create(ADA, FIRST, "laptop")
    barrier, refused = Barrier(4), list[str]()

    def make(number: int) -> None:
        barrier.wait()
        for each in range(BOTS_MAX):
            try:
                stores[number].own_bot("p_ada", f"p_{number}_{each}", 2000)
            except TooManyBots:
                refused.append("p")

    threads = [Thread(target=make, args=(number,)) for number in range(4)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert len(refused) == 3 * BOTS_MAX


def test_a_player_that_was_removed_is_nobody_at_once(store: Players, reopen: Callable[[], Players]) -> None:
    other = reopen()
    other.create(BOT, SECOND, "")
    other.add_game("p_bot", "g_1", 1)
    third = players.new_token()
    other.issue("p_bot", third, "more", 3000)
    assert store.find(third) == BOT
    store.remove("p_bot")
    store.remove("p_bot")
    store.remove("p_none")
    for each in (store, other, reopen()):
        assert each.find(SECOND) is each.find(third) is each.get("p_bot") is each.change("p_bot") is None
        assert each.tokens("p_bot") == []
    with pytest.raises(LookupError):
        other.issue("p_bot", third, "again", 3000)
    assert other.find(third) is None
    assert store.games_of("p_bot", 10) == [(1, "g_1")]


def test_an_owner_may_revoke_the_last_token_of_a_bot(store: Players) -> None:
    store.create(BOT, SECOND, "")
    assert store.revoke("p_bot", players.token_id(SECOND), last=True)
    assert store.find(SECOND) is None
    store.issue("p_bot", FIRST_OF_BOT, "anew", 3000)
    assert store.find(FIRST_OF_BOT) == BOT


@pytest.mark.parametrize("promised", [None, 2, 9])
def test_games_at_a_time_are_bounded_for_all_and_by_what_a_bot_promised(
    store: Players, promised: int | None
) -> None:
    store.create(Player("p_max", "Max", "bot", 2000, "p_ada", promised), SECOND, "")
    most = 2 if promised == 2 else 4
    for number in range(most):
        store.add_game("p_max", f"g_{number}", 1, 4)
    with pytest.raises(TooManyGames) as reached:
        store.add_game("p_max", "g_more", 1, 4)
    assert reached.value.most == most
    store.add_game("p_max", "g_0", 1, 4)
    store.end_game("p_max", "g_0")
    store.add_game("p_max", "g_more", 1, 4)
    store.add_game("p_max", "g_0", 1)
    assert len(store.games_of("p_max", 10, of="active")) == most + 1


def test_one_at_a_time_may_seat_a_player(store: Players, reopen: Callable[[], Players]) -> None:
    other = reopen()
    assert store.begin_seat("p_ada", "one")
    assert store.begin_seat("p_ada", "one")
    assert not other.begin_seat("p_ada", "two")
    other.end_seat("p_ada", "two")
    assert not other.begin_seat("p_ada", "two")
    store.end_seat("p_ada", "one")
    assert other.begin_seat("p_ada", "two")


def test_who_dies_while_seating_a_player_keeps_others_out_for_a_while_only(games_client: Redis) -> None:
    RedisPlayers(games_client).begin_seat("p_ada", "one")
    assert 0 < games_client.pttl(keys.player_seating("p_ada")) <= SEATING_MS
