"""What every game store promises, on memory and on a real server."""

import json
from dataclasses import replace
from threading import Barrier, Thread
from typing import Any

import pytest

from service.store.contract import STATUSES, Appended, Entry, GameStore, Loaded
from service.store.memory import MemoryStore
from service.store.server import PAGE

FIRST = Entry(
    game="g_1",
    after=0,
    seq=2,
    events=b'[{"seq":1},{"seq":2}]',
    snapshot=b"state at 2",
    secrets={"master": "00ff", "salt": "é"},
    status="lobby",
    created_ms=1000,
    due_turns=None,
    due_bots=None,
)
SECOND = replace(FIRST, after=2, seq=3, events=b'[{"seq":3}]', snapshot=None, secrets=None, status="playing")
THIRD = replace(SECOND, after=3, seq=7, events=b"\x00\xff raw \r\n bytes", snapshot=b"state at 7")


def test_a_game_is_loaded_as_it_was_written(store: GameStore) -> None:
    assert store.append(FIRST) is Appended.RECORDED
    assert store.load("g_1") == Loaded(2, b"state at 2", 2, ())
    assert store.append(SECOND) is Appended.RECORDED
    assert store.load("g_1") == Loaded(3, b"state at 2", 2, ((3, SECOND.events),))
    assert store.append(THIRD) is Appended.RECORDED
    assert store.load("g_1") == Loaded(7, b"state at 7", 7, ())


def test_a_game_without_a_snapshot_is_loaded_as_its_whole_log(store: GameStore) -> None:
    store.append(replace(FIRST, snapshot=None))
    store.append(SECOND)
    assert store.load("g_1") == Loaded(3, None, 0, ((2, FIRST.events), (3, SECOND.events)))


def test_nothing_is_known_of_an_unknown_game(store: GameStore) -> None:
    assert store.load("g_none") is None
    assert store.since("g_none", 0) == ()
    assert list(store.log("g_none")) == []
    assert store.secrets("g_none") == {}


def test_readers_get_what_came_after_their_cursor(store: GameStore) -> None:
    for entry in (FIRST, SECOND, THIRD):
        store.append(entry)
    everything = ((2, FIRST.events), (3, SECOND.events), (7, THIRD.events))
    assert store.since("g_1", 0) == everything
    assert store.since("g_1", 2) == everything[1:]
    assert store.since("g_1", 5) == everything[2:]
    assert store.since("g_1", 7) == ()


def test_a_long_log_is_read_whole_and_in_order(store: GameStore) -> None:
    written = [json.dumps([seq]).encode() for seq in range(1, 2 * PAGE + 2)]
    for seq, events in enumerate(written, start=1):
        entry = replace(FIRST, after=seq - 1, seq=seq, events=events, snapshot=None, secrets=None)
        assert store.append(entry) is Appended.RECORDED
    assert list(store.log("g_1")) == written


def test_secrets_stand_apart_from_the_log(store: GameStore) -> None:
    store.append(FIRST)
    assert store.secrets("g_1") == {"master": "00ff", "salt": "é"}
    assert all(b"00ff" not in events for events in store.log("g_1"))


def test_a_retried_append_is_told_from_a_new_one(store: GameStore) -> None:
    store.append(FIRST)
    assert store.append(FIRST) is Appended.REPEATED
    store.append(SECOND)
    store.append(THIRD)
    assert store.append(FIRST) is Appended.REPEATED
    assert store.append(SECOND) is Appended.REPEATED
    assert store.load("g_1") == Loaded(7, b"state at 7", 7, ())


@pytest.mark.parametrize(
    "entry",
    [
        replace(FIRST, events=b"[another first]"),
        replace(SECOND, events=b"[another second]"),
        replace(SECOND, seq=5),
        replace(SECOND, seq=9),
        replace(THIRD, after=7, seq=8, game="g_unknown"),
        replace(THIRD, after=8, seq=9),
    ],
)
def test_an_append_that_was_overtaken_changes_nothing(store: GameStore, entry: Entry) -> None:
    for earlier in (FIRST, SECOND, THIRD):
        store.append(earlier)
    before = store.load("g_1"), store.listed("playing", None, 10), store.secrets("g_1")
    late = replace(entry, snapshot=b"wrong", status="finished", due_turns=1, due_bots=1)
    assert store.append(late) is Appended.STALE
    assert (store.load("g_1"), store.listed("playing", None, 10), store.secrets("g_1")) == before
    assert store.listed("finished", None, 10) == []
    assert store.due("turns", 10, 10) == store.due("bots", 10, 10) == []
    assert store.load("g_unknown") is None


def test_of_many_appends_at_the_same_place_one_is_recorded(store: GameStore) -> None:
    store.append(FIRST)
    racers = 8
    barrier = Barrier(racers)
    results: list[tuple[Appended, bytes]] = []

    def race(number: int) -> None:
        entry = replace(SECOND, events=b"[%d]" % number)
        barrier.wait()
        results.append((store.append(entry), entry.events))

    threads = [Thread(target=race, args=(number,)) for number in range(racers)]
    for thread in threads:
        thread.start()
    for thread in threads:
        thread.join()
    recorded = [events for result, events in results if result is Appended.RECORDED]
    assert len(results) == racers
    assert len(recorded) == 1
    assert [result for result, _ in results].count(Appended.STALE) == racers - 1
    assert store.since("g_1", 2) == ((3, recorded[0]),)


def test_due_games_come_the_longest_overdue_first(store: GameStore) -> None:
    for number in range(20):
        store.append(replace(FIRST, game=f"g_{number}", due_turns=1000 - number, due_bots=500))
    assert store.due("turns", 980, 10) == []
    assert store.due("turns", 985, 10) == [f"g_{number}" for number in range(19, 14, -1)]
    assert store.due("turns", 10_000, 3) == ["g_19", "g_18", "g_17"]
    assert len(store.due("bots", 500, 100)) == 20


def test_each_append_says_anew_when_the_game_is_due(store: GameStore) -> None:
    store.append(replace(FIRST, due_turns=10, due_bots=20))
    store.append(replace(SECOND, due_turns=5, due_bots=None))
    assert store.due("turns", 5, 10) == ["g_1"]
    assert store.due("bots", 100, 10) == []


def test_a_postponed_game_is_due_later_but_never_earlier(store: GameStore) -> None:
    store.append(replace(FIRST, due_turns=10))
    store.postpone("turns", "g_1", 50)
    assert store.due("turns", 49, 10) == []
    store.postpone("turns", "g_1", 20)
    assert store.due("turns", 49, 10) == []
    assert store.due("turns", 50, 10) == ["g_1"]


def test_postponing_never_revives_a_game_that_is_not_due(store: GameStore) -> None:
    store.append(FIRST)
    store.postpone("turns", "g_1", 50)
    store.postpone("bots", "g_none", 50)
    assert store.due("turns", 100, 10) == store.due("bots", 100, 10) == []


def test_nothing_is_written_after_an_entry_that_is_another(store: GameStore) -> None:
    store.append(replace(FIRST, events=b'[{"hash":"abc"}]'))
    assert store.append(replace(SECOND, head="abd")) is Appended.STALE
    assert store.append(replace(SECOND, head="abc")) is Appended.RECORDED
    assert store.append(replace(SECOND, head="abc")) is Appended.REPEATED


def test_since_when_a_game_is_overdue_stays_known_however_often_it_is_postponed(store: GameStore) -> None:
    store.append(replace(FIRST, due_turns=10, due_bots=30))
    store.append(replace(FIRST, game="g_2", due_turns=5))
    for until in (50, 90):
        store.postpone("turns", "g_1", until)
    assert store.late("turns", 9, 10) == [(5, "g_2")]
    assert store.late("turns", 10, 10) == [(5, "g_2"), (10, "g_1")]
    assert store.late("turns", 1000, 1) == [(5, "g_2")]
    assert store.late("bots", 1000, 10) == [(30, "g_1")]


def test_a_game_that_moves_on_is_not_overdue_any_more(store: GameStore) -> None:
    store.append(replace(FIRST, due_turns=10))
    store.postpone("turns", "g_1", 50)
    store.append(replace(SECOND, due_turns=70))
    assert store.late("turns", 69, 10) == []
    assert store.late("turns", 70, 10) == [(70, "g_1")]
    store.append(replace(SECOND, after=3, seq=4, due_turns=None))
    assert store.late("turns", 1000, 10) == []


def test_open_games_are_counted_by_their_phase(store: GameStore) -> None:
    store.append(replace(FIRST, phase="lobby"))
    store.append(replace(FIRST, game="g_2", phase="lobby"))
    assert store.phases() == {"lobby": 2}
    store.append(replace(SECOND, phase="lay_card"))
    assert store.phases() == {"lobby": 1, "lay_card": 1}
    store.append(replace(SECOND, after=3, seq=4, phase=""))
    assert store.phases() == {"lobby": 1}


def test_a_game_is_listed_under_its_last_status_only(store: GameStore) -> None:
    store.append(FIRST)
    for seq, status in enumerate(STATUSES[1:], start=3):
        store.append(replace(SECOND, after=seq - 1, seq=seq, status=status))
        assert {name: store.listed(name, None, 10) for name in STATUSES} == {
            name: [(1000, "g_1")] if name == status else [] for name in STATUSES
        }


def test_lists_are_paged_newest_first_without_gap_or_double(store: GameStore) -> None:
    # three games share each millisecond, and seven a page never ends between milliseconds twice running
    made = [(1000 + number // 3, f"g_{number:02}") for number in range(50)]
    for created_ms, game in made:
        store.append(replace(FIRST, game=game, created_ms=created_ms))
    pages: list[tuple[int, str]] = []
    before = None
    while page := store.listed("lobby", before, 7):
        pages += page
        before = page[-1]
    assert pages == sorted(made, reverse=True)


def test_an_unknown_status_is_refused(store: GameStore) -> None:
    with pytest.raises(ValueError, match="unknown status"):
        store.listed("sleeping", None, 10)


@pytest.mark.parametrize(
    "nonsense",
    [
        {"after": 2},
        {"after": -1},
        {"after": 3, "seq": 2},
        {"status": "sleeping"},
        {"after": 1},
        {"snapshot": b""},
    ],
)
def test_an_entry_that_makes_no_sense_cannot_be_made(nonsense: dict[str, Any]) -> None:
    with pytest.raises(ValueError, match=r"forward|unknown status|first entry|empty snapshot"):
        replace(FIRST, **nonsense)


def test_memory_tells_whoever_listens() -> None:
    told: list[str] = []
    store = MemoryStore(told.append)
    store.append(FIRST)
    store.append(FIRST)
    assert told == ["g_1"]
