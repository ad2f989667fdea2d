"""Doors: a game is read only for whom it is open, and for anybody else it is not there; on memory and on a real server."""

import pytest
from redis import Redis

from engine import commands as c
from engine.resolve import resolve
from service.store.contract import CODE_KEPT_MS, Entry, GameStore
from service.store.doors import DoorKey
from service.store.games import NoSuchGame
from service.store.keys import join_code
from service.store.play import Play
from service.store.server import RedisStore

MASTER = bytes(range(32))
FIRST = Entry(
    "g_1",
    0,
    1,
    b"[1]",
    b"state",
    {"join_code": "K7"},
    "lobby",
    1,
    None,
    None,
    door=frozenset({"p_1", "code"}),
)


class Quiet:
    """Wakes nobody."""

    def wake(self, kind: str, game: str) -> None:
        """Do nothing."""


def opened(play: Play, game: str = "g_1", **options: object) -> None:
    """A table for three of p0's."""
    wanted = c.CreateGame(game, "p0", resolve({"ruleset": "classic", "seats": 3, **options}))
    play.create(wanted, master=MASTER, join_code="K7", then=(c.JoinSeat("p0", "n0", "human"),))


@pytest.mark.parametrize(
    ("key", "is_open"),
    [
        (None, True),
        (DoorKey(), False),
        (DoorKey(frozenset({""})), False),
        (DoorKey(frozenset({"p_2"})), False),
        (DoorKey(frozenset({"p_"})), False),
        (DoorKey(frozenset({"p_2", "p_1"})), True),
        (DoorKey(code="K7"), True),
        (DoorKey(code="K8"), False),
        (DoorKey(code="K"), False),
    ],
)
def test_a_door_opens_to_a_word_that_stands_on_it_or_to_the_code(
    store: GameStore, key: DoorKey | None, *, is_open: bool
) -> None:
    store.append(FIRST)
    assert (store.load("g_1", key) is not None) == is_open
    assert store.load("g_2", key) is None


def test_a_code_opens_only_where_the_door_says_so(store: GameStore) -> None:
    store.append(
        Entry("g_1", 0, 1, b"[1]", b"s", {"join_code": "K7"}, "lobby", 1, None, None, door=frozenset({"x"}))
    )
    assert store.load("g_1", DoorKey(code="K7")) is None


def test_a_game_without_a_door_is_open_to_all(store: GameStore) -> None:
    store.append(Entry("g_1", 0, 1, b"[1]", b"s", None, "lobby", 1, None, None))
    assert store.load("g_1", DoorKey()) == store.load("g_1")


def test_a_door_stays_until_there_is_another_state(store: GameStore) -> None:
    store.append(FIRST)
    store.append(Entry("g_1", 1, 2, b"[2]", None, None, "playing", 1, None, None))
    assert store.load("g_1", DoorKey()) is None
    store.append(Entry("g_1", 2, 3, b"[3]", b"state", None, "playing", 1, None, None))
    assert store.load("g_1", DoorKey()) is not None


def test_a_game_is_found_by_its_code(store: GameStore) -> None:
    assert store.by_code("K7") is None
    store.name_code("K7", "g_1")
    assert store.by_code("K7") == "g_1"


def test_codes_are_kept_for_a_while_and_as_digests(games_client: Redis) -> None:
    RedisStore(games_client).name_code("K7K7K7", "g_1")
    assert 0 < games_client.pttl(join_code("K7K7K7")) <= CODE_KEPT_MS
    assert not any(b"K7K7K7" in key for key in games_client.scan_iter())


@pytest.mark.parametrize("is_new", [False, True])
def test_a_private_game_is_entered_by_those_at_it_and_with_its_code(
    store: GameStore, *, is_new: bool
) -> None:
    first = Play(store, Quiet())
    opened(first, visibility="private")
    play = Play(store, Quiet()) if is_new else first
    assert play.entered("g_1", "p0").game.id == "g_1"
    for player in ("p1", "", None):
        for code in ("", "K8", "k7"):
            with pytest.raises(NoSuchGame):
                play.entered("g_1", player, code, joining=True)
    assert play.entered("g_1", "p1", "K7").game.id == "g_1"
    play.execute("g_1", c.JoinSeat("p1", "n1", "human"))
    assert play.entered("g_1", "p1") == first.live("g_1")
    play.execute("g_1", c.LeaveSeat("p1"))
    with pytest.raises(NoSuchGame):
        first.entered("g_1", "p1")


def test_who_has_just_left_by_another_process_is_let_in_no_more(store: GameStore) -> None:
    one, other = Play(store, Quiet()), Play(store, Quiet())
    opened(one, visibility="private")
    one.execute("g_1", c.JoinSeat("p1", "n1", "human"))
    assert other.entered("g_1", "p1").game.seat_of("p1") == 1
    one.execute("g_1", c.LeaveSeat("p1"))
    with pytest.raises(NoSuchGame):
        other.entered("g_1", "p1")
    one.execute("g_1", c.JoinSeat("p1", "n1", "human"))
    assert other.entered("g_1", "p1").game.seat_of("p1") == 1


def test_the_lobby_of_a_game_without_spectators_is_for_who_wants_a_seat(store: GameStore) -> None:
    play = Play(store, Quiet())
    opened(play, spectators=False)
    with pytest.raises(NoSuchGame):
        play.entered("g_1", "p1")
    assert play.entered("g_1", "p1", joining=True).game.status == "lobby"
    for seat in (1, 2):
        play.execute("g_1", c.JoinSeat(f"p{seat}", "n", "human"))
    play.execute("g_1", c.StartGame("p0"))
    with pytest.raises(NoSuchGame):
        play.entered("g_1", "p7", joining=True)


@pytest.mark.parametrize("visibility", ["listed", "unlisted", "private"])
def test_a_lobby_is_found_by_its_code_until_it_starts(store: GameStore, visibility: str) -> None:
    play = Play(store, Quiet())
    opened(play, visibility=visibility)
    assert play.found("K7", None).game.id == "g_1"
    assert play.found("K7", "p7").game.id == "g_1"
    with pytest.raises(NoSuchGame):
        play.found("K8", "p7")
    for seat in (1, 2):
        play.execute("g_1", c.JoinSeat(f"p{seat}", "n", "human"))
    play.execute("g_1", c.StartGame("p0"))
    with pytest.raises(NoSuchGame):
        play.found("K7", "p7")


def test_a_code_that_leads_to_another_game_finds_none(store: GameStore) -> None:
    play = Play(store, Quiet())
    opened(play)
    store.name_code("K8", "g_1")
    with pytest.raises(NoSuchGame):
        play.found("K8", None)
