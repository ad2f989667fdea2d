"""What the turns worker does: everything that is due, deadlines included, however often it is told to."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from threading import Barrier, Thread

import pytest

from engine import commands as c
from engine.game import Game
from service.store.contract import Appended, Entry, GameStore
from service.store.play import Play
from tests.jobs.conftest import Wakes
from worker.turns import advance

Open = Callable[..., Game]


def lay_all(play: Play, game: Game) -> None:
    for seat, hand in enumerate(game.hands):
        play.execute(game.id, c.LayCard(seat, game.round, game.turn, hand[0]))


def types(play: Play, game: str = "g_1") -> Counter[str]:
    return Counter(envelope["type"] for envelope in play.log(game))


def test_a_full_turn_is_revealed_placed_and_followed_by_the_next(play: Play, opened: Open) -> None:
    game = opened(seats=2)
    lay_all(play, game)
    advance(play, "g_1")
    after = play.live("g_1").game
    assert types(play)["turn.revealed"] == 1
    assert (after.turn, after.phase) in ((2, "lay_card"), (1, "choose_row"))


def test_a_job_done_twice_reveals_once(play: Play, opened: Open) -> None:
    game = opened(seats=3)
    lay_all(play, game)
    advance(play, "g_1")
    done = play.log("g_1")
    advance(play, "g_1")
    assert play.log("g_1") == done


def test_a_job_that_comes_too_early_changes_nothing(play: Play, opened: Open) -> None:
    game = opened(seats=3, pace="slow")
    play.execute("g_1", c.LayCard(0, 1, 1, game.hands[0][0]))
    before = play.log("g_1")
    advance(play, "g_1")
    assert play.log("g_1") == before


def test_workers_at_the_same_instant_reveal_once(store: GameStore, opened: Open) -> None:
    workers = [Play(store, Wakes()) for _ in range(4)]
    lay_all(workers[0], opened(seats=4))
    barrier = Barrier(len(workers))

    def work(play: Play) -> None:
        barrier.wait()
        advance(play, "g_1")

    threads = [Thread(target=work, args=(play,)) for play in workers]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    assert types(workers[0])["turn.revealed"] == 1
    assert len({play.live("g_1").head for play in workers}) == 1


def test_a_worker_that_dies_before_its_answer_is_heard_leaves_nothing_undone(
    store: GameStore, opened: Open
) -> None:
    class Deaf:
        """The store, as seen by a process that is killed after its entry was written."""

        def __getattr__(self, name: str) -> object:
            return getattr(store, name)

        def append(self, entry: Entry) -> Appended:
            store.append(entry)
            raise SystemExit

    lay_all(Play(store, Wakes()), opened(seats=2))
    with pytest.raises(SystemExit):
        advance(Play(Deaf(), Wakes()), "g_1")  # type: ignore[arg-type]  # the rest is the store's own
    advance(Play(store, Wakes()), "g_1")
    assert types(Play(store, Wakes()))["turn.revealed"] == 1


def test_whoever_lets_the_time_pass_is_played_for(store: GameStore, opened: Open) -> None:
    game = opened(seats=3, pace={"turn_ms": 500, "row_ms": 500})
    assert game.deadline is not None
    time_is_up = game.deadline
    late = Play(store, Wakes(), lambda: time_is_up)
    late.execute("g_1", c.LayCard(1, 1, 1, game.hands[1][0]))
    advance(late, "g_1")
    played = [envelope["by"] for envelope in late.log("g_1") if envelope["type"] == "card.laid"]
    assert played == [
        {"kind": "player", "seat": 1},
        {"kind": "timeout", "seat": 0},
        {"kind": "timeout", "seat": 2},
    ]
    assert types(late)["turn.revealed"] == 1


def test_a_deadline_that_has_not_passed_is_left_alone(play: Play, opened: Open) -> None:
    game = opened(seats=2, pace="live")
    advance(play, "g_1")
    assert play.live("g_1").game == game
