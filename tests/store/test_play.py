"""The one way a game changes, on memory and on a real server: each command takes effect once, whoever else acts."""

from __future__ import annotations

import random
from threading import Barrier, Thread

import pytest

from engine import commands as c
from engine.errors import Refusal
from engine.log import fold_log
from engine.resolve import resolve
from engine.verify import verify_log
from service.store import codec, games as games_module, play as play_module
from service.store.connect import Unavailable
from service.store.contract import Appended, Entry, GameStore
from service.store.games import NoSuchGame
from service.store.memory import MemoryStore
from service.store.play import Play
from tests.store.played import MASTER, Clock, Wakes, lay, opened


class Forgetful(MemoryStore):
    """A store that does not answer the first appends: it has recorded them, and says they stood there already."""

    def append(self, entry: Entry) -> Appended:
        super().append(entry)
        return super().append(entry)


class Crowded(MemoryStore):
    """A store in which somebody else always comes first."""

    def append(self, entry: Entry) -> Appended:
        return Appended.STALE if entry.after else super().append(entry)


def test_a_created_game_stands_with_its_secrets_apart(store: GameStore) -> None:
    play = Play(store, Wakes())
    game = opened(play)
    assert game.status == "playing"
    assert play.secrets("g_1") == {"master": MASTER.hex(), "join_code": "CODE"}
    assert MASTER.hex() not in b"".join(store.log("g_1")).decode()
    assert [envelope["type"] for envelope in play.log("g_1")][:2] == ["game.created", "seat.joined"]


def test_a_game_created_twice_is_the_game_that_stands(store: GameStore) -> None:
    play = Play(store, Wakes())
    options = resolve({"ruleset": "classic", "seats": 2})
    first = play.create(c.CreateGame("g_1", "p0", options), master=MASTER, join_code="A")
    again = play.create(c.CreateGame("g_1", "p0", options), master=bytes(32), join_code="B")
    assert again.live == first.live
    assert again.envelopes == []
    assert play.secrets("g_1")["join_code"] == "A"


def test_what_does_not_exist_is_said_to_be_so(store: GameStore) -> None:
    play = Play(store, Wakes())
    with pytest.raises(NoSuchGame):
        play.live("g_none")
    with pytest.raises(NoSuchGame):
        play.log("g_none")
    with pytest.raises(NoSuchGame):
        play.secrets("g_none")
    with pytest.raises(NoSuchGame):
        play.execute("g_none", c.Advance())


def test_two_processes_see_the_same_game_at_every_version(store: GameStore) -> None:
    one, other, chance = Play(store, Wakes()), Play(store, Wakes()), random.Random(5)
    game = opened(one)
    while game.status == "playing":
        playing = chance.choice([one, other])
        if game.phase == "lay_card" and None in game.laid:
            playing.execute("g_1", lay(game, game.laid.index(None), chance.randrange(len(game.hands[0]))))
        elif game.request and not game.chosen:
            playing.execute("g_1", c.ChooseRow(game.request.seat, game.round, game.turn, chance.randrange(4)))
        else:
            playing.execute("g_1", c.Advance())
        fresh = Play(store, Wakes()).live("g_1")
        assert one.live("g_1") == other.live("g_1") == fresh == fold_log(one.log("g_1"))
        game = fresh.game
    assert game.standings


def test_a_snapshot_is_read_as_it_was_written(store: GameStore) -> None:
    play = Play(store, Wakes())
    opened(play)
    live = play.live("g_1")
    assert codec.read_snapshot(codec.write_snapshot(live)) == live


def test_seats_that_lay_at_the_same_instant_all_count(store: GameStore) -> None:
    processes = [Play(store, Wakes()) for _ in range(5)]
    game = opened(processes[0], seats=10)
    barrier = Barrier(10)

    def act(seat: int) -> None:
        barrier.wait()
        processes[seat % 5].execute("g_1", lay(game, seat))

    threads = [Thread(target=act, args=(seat,)) for seat in range(10)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    laid = processes[0].live("g_1").game.laid
    assert [card and card.card for card in laid] == [hand[0] for hand in game.hands]


def test_what_was_done_already_is_not_done_again(store: GameStore) -> None:
    play = Play(store, Wakes())
    game = opened(play)
    assert len(play.execute("g_1", lay(game, 0)).envelopes) == 1
    assert play.execute("g_1", lay(game, 0)).envelopes == []
    with pytest.raises(Refusal, match="already_answered"):
        play.execute("g_1", lay(game, 0, 1))


def test_an_append_whose_answer_was_lost_counts_once() -> None:
    store = Forgetful()
    play = Play(store, Wakes())
    game = opened(play)
    play.execute("g_1", lay(game, 0))
    assert [envelope["type"] for envelope in play.log("g_1", after=game.seq)] == ["card.laid"]


def test_the_log_is_read_from_any_event_on(store: GameStore) -> None:
    play = Play(store, Wakes())
    game = opened(play)
    whole = play.log("g_1")
    assert [envelope["seq"] for envelope in whole] == list(range(1, game.seq + 1))
    assert play.log("g_1", after=game.seq - 1) == whole[-1:]
    assert play.log("g_1", after=game.seq) == []


def test_the_log_is_read_command_by_command(store: GameStore) -> None:
    play = Play(store, Wakes(), Clock())
    opened(play)
    whole = play.log("g_1")
    entries = play.entries("g_1", 0)
    assert [envelope for entry in entries for envelope in entry] == whole
    assert max(map(len, entries)) > 1
    for after in range(len(whole) + 1):
        assert play.entries("g_1", after) == [entry for entry in entries if entry[-1]["seq"] > after]


def test_who_never_gets_through_is_told_to_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_module, "PATIENCE_S", 0.05)
    play = Play(Crowded(), Wakes())
    play.create(
        c.CreateGame("g_1", "p0", resolve({"ruleset": "classic", "seats": 2})), master=MASTER, join_code=""
    )
    with pytest.raises(Unavailable):
        play.execute("g_1", c.JoinSeat("p0", "n", "human"))


def test_who_cannot_have_the_game_in_time_is_told_to_come_back(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(play_module, "PATIENCE_S", 0.05)
    monkeypatch.setattr(play_module, "_LOCKS", 1)
    play = Play(MemoryStore(), Wakes())
    (lock,) = play._locks  # the test stands in for a thread that is stuck
    with lock, pytest.raises(Unavailable):
        play.execute("g_1", c.Advance())


def test_a_store_that_was_set_back_is_believed() -> None:
    play = Play(MemoryStore(), Wakes())
    game = opened(play)
    play.execute("g_1", lay(game, 0))
    older = MemoryStore()
    opened(Play(older, Wakes()))
    play._store = older  # as if the server had come back from an older backup
    done = play.execute("g_1", lay(play.live("g_1").game, 1))
    assert done.live.game.laid[0] is None


def test_a_store_that_was_set_back_is_believed_by_who_only_reads() -> None:
    """Nothing of what was lost is written again by others: a worker that goes by its memory would find nothing to do."""
    play, older = Play(MemoryStore(), Wakes()), MemoryStore()
    game, other = opened(play), Play(older, Wakes())
    opened(other)
    for seat in range(2):
        play.execute("g_1", lay(game, seat))
        other.execute("g_1", lay(game, seat))
    play.execute("g_1", c.Advance())
    play._store = older  # the replica, which had not got the last command
    assert play.live("g_1") == other.live("g_1")
    assert play.execute("g_1", c.Advance()).envelopes


def test_what_others_did_after_a_store_was_set_back_is_not_mixed_with_what_was_lost() -> None:
    play, older = Play(MemoryStore(), Wakes()), MemoryStore()
    game = opened(play, seats=3)
    play.execute("g_1", lay(game, 0, 1))
    other = Play(older, Wakes())
    opened(other, seats=3)
    play._store = older
    for seat in (0, 1):
        other.execute("g_1", lay(game, seat))
    assert play.live("g_1") == other.live("g_1") == fold_log(other.log("g_1"))


def test_a_game_that_was_lost_and_created_again_is_dealt_from_its_own_secret() -> None:
    play = Play(MemoryStore(), Wakes())
    for master in (MASTER, bytes(32)):
        play._store = MemoryStore()  # as if the server had come back from before the game
        play.forget()
        options = resolve({"ruleset": "classic", "seats": 2})
        play.create(c.CreateGame("g_1", "p0", options), master=master, join_code="CODE")
        for seat in range(2):
            play.execute("g_1", c.JoinSeat(f"p{seat}", f"n{seat}", "human", seat))
        play.execute("g_1", c.StartGame("p0"))
        play.execute("g_1", c.Abandon())
        assert verify_log(play.log("g_1")).outcome == "ok"


def test_games_are_forgotten_when_there_are_too_many(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (games_module, play_module):
        monkeypatch.setattr(module, "CACHED", 1)
    play = Play(MemoryStore(), Wakes())
    opened(play, game="g_1")
    opened(play, game="g_2")
    assert play.live("g_1").game.id == "g_1"
    assert len(play._lives) == len(play._chances) == 1


class Counting(MemoryStore):
    """A store that counts how often somebody asks for news of a game."""

    asked = 0

    def since(self, game: str, after: int) -> tuple[tuple[int, bytes], ...]:
        self.asked += 1
        return super().since(game, after)


def test_a_snapshot_of_another_version_is_not_needed() -> None:
    store = MemoryStore()
    play = Play(store, Wakes())
    game = opened(play)
    kept = store._games["g_1"]
    assert kept.snapshot is not None
    kept.snapshot = kept.snapshot.replace(b'"phase":', b'"stage":')
    play.execute("g_1", lay(game, 0))
    assert Play(store, Wakes()).live("g_1") == play.live("g_1")


def test_who_has_just_read_the_game_does_not_read_it_again() -> None:
    store = Counting()
    play = Play(store, Wakes())
    game, seen = opened(play, seats=3), play.live("g_1")
    asked = store.asked
    play.execute("g_1", lay(game, 0), seen)
    play.execute("g_1", lay(game, 1), seen)  # of which this process has heard more since
    assert store.asked == asked
    assert [bool(laid) for laid in play.live("g_1").game.laid] == [True, True, False]


def test_what_was_seen_may_be_out_of_date_or_forgotten(store: GameStore) -> None:
    play, other = Play(store, Wakes()), Play(store, Wakes())
    game, seen = opened(play, seats=3), play.live("g_1")
    other.execute("g_1", lay(game, 0))
    assert all(play.execute("g_1", lay(game, 1), seen).live.game.laid[:2])
    play.forget()
    assert all(play.execute("g_1", lay(game, 2), seen).live.game.laid)


def test_an_older_reading_does_not_displace_a_newer_one() -> None:
    play = Play(MemoryStore(), Wakes())
    game = opened(play)
    older = play.live("g_1")
    newer = play.execute("g_1", lay(game, 0)).live
    play._remember(older)  # a thread that read before the other wrote, and comes late
    assert play._lives.get("g_1") == newer
