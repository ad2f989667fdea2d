"""What repeated requests find, on memory and on a real server."""

import time
from dataclasses import dataclass

import pytest
from redis import Redis

from service.store import keys
from service.store.idempotency import (
    KEPT_MS,
    LEASE_MS,
    Answer,
    Fresh,
    Idempotency,
    Mismatch,
    Replay,
    Running,
    Slots,
    TooManyKeys,
)
from service.store.slots import MemorySlots, RedisSlots

ANSWER = Answer(201, {"Location": "/v1/games/g_1", "X": "é"}, b'{"id":"g_1"}\n\x00\xff')


@dataclass
class Clock:
    now_ms: int = 1_800_000_000_000

    def __call__(self) -> int:
        return self.now_ms


@pytest.fixture(params=["memory", "server"])
def slots(request: pytest.FixtureRequest) -> Slots:
    if request.param == "memory":
        return MemorySlots()
    client: Redis = request.getfixturevalue("games_client")
    return RedisSlots(client)


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def kept(slots: Slots, clock: Clock) -> Idempotency:
    return Idempotency(slots, clock)


def begun(kept: Idempotency, scope: str | None = "p_1", key: str = "key", body_hash: str = "body") -> Fresh:
    fresh = kept.begin(scope, key, body_hash)
    assert isinstance(fresh, Fresh)
    return fresh


def test_a_repeated_request_gets_the_same_answer(kept: Idempotency) -> None:
    fresh = begun(kept)
    assert kept.finish(fresh, ANSWER)
    for _ in range(2):
        assert kept.begin("p_1", "key", "body") == Replay(ANSWER, fresh.salt)


def test_a_request_that_is_still_running_is_not_begun_again(kept: Idempotency) -> None:
    begun(kept)
    assert kept.begin("p_1", "key", "body") == Running()


def test_the_same_key_with_another_body_is_a_mismatch(kept: Idempotency) -> None:
    fresh = begun(kept)
    assert kept.begin("p_1", "key", "other") == Mismatch()
    kept.finish(fresh, ANSWER)
    assert kept.begin("p_1", "key", "other") == Mismatch()


def test_a_key_means_something_to_its_owner_only(kept: Idempotency) -> None:
    salts = {
        begun(kept, scope, key).salt
        for scope, key in (("p_1", "key"), ("p_2", "key"), (None, "key"), (None, "k"))
    }
    assert len(salts) == 4
    assert kept.begin(None, "key", "body") == Running()


def test_a_lapsed_claim_is_taken_over_once_and_with_the_same_salt(kept: Idempotency, clock: Clock) -> None:
    dead = begun(kept)
    clock.now_ms += LEASE_MS - 1
    assert kept.begin("p_1", "key", "body") == Running()
    clock.now_ms += 1
    assert kept.begin("p_1", "key", "other") == Mismatch()
    heir = begun(kept)
    assert heir.salt == dead.salt
    assert heir.is_again
    assert kept.begin("p_1", "key", "body") == Running()
    assert not kept.finish(dead, Answer(201, {}, b"late"))
    assert kept.finish(heir, ANSWER)
    assert not kept.finish(dead, Answer(201, {}, b"later"))
    assert kept.begin("p_1", "key", "body") == Replay(ANSWER, dead.salt)


def test_a_clock_that_is_set_back_keeps_nobody_from_a_key_for_long(kept: Idempotency, clock: Clock) -> None:
    dead = begun(kept)
    clock.now_ms -= LEASE_MS
    assert kept.begin("p_1", "key", "body") == Running()
    clock.now_ms -= 3_600_000
    heir = begun(kept)
    assert (heir.salt, heir.is_again) == (dead.salt, True)


def test_a_claim_overtaken_in_the_act_is_not_ours(slots: Slots, clock: Clock) -> None:
    kept = Idempotency(slots, clock)
    begun(kept)
    clock.now_ms += LEASE_MS

    class Overtaken:
        """Slots in which somebody else is always a little faster to take over."""

        def swap(self, scope: str, slot: str, expected: bytes, new: bytes, now_ms: int) -> bytes:
            if expected:
                begun(kept)
            return slots.swap(scope, slot, expected, new, now_ms)

    assert Idempotency(Overtaken(), clock).begin("p_1", "key", "body") == Running()


def test_an_abandoned_key_may_be_used_at_once_with_any_body(kept: Idempotency) -> None:
    fresh = begun(kept)
    kept.abandon(fresh)
    begun(kept, body_hash="mended")
    kept.abandon(fresh)
    assert kept.begin("p_1", "key", "mended") == Running()


@pytest.mark.parametrize("scope", ["p_1", None])
def test_of_a_key_whose_request_was_refused_nothing_is_kept(games_client: Redis, scope: str | None) -> None:
    kept = Idempotency(RedisSlots(games_client))
    for number in range(3):
        kept.abandon(begun(kept, scope, key=str(number)))
    assert games_client.keys() == []


def test_keys_of_refused_requests_take_no_room_from_others(
    kept: Idempotency, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.store.slots.KEPT_MAX", 2)
    for number in range(5):
        kept.abandon(begun(kept, key=str(number)))


def test_a_suspended_key_may_be_used_at_once_with_the_same_body_and_says_that_it_was_begun(
    kept: Idempotency,
) -> None:
    fresh = begun(kept)
    kept.suspend(fresh)
    assert kept.begin("p_1", "key", "other") == Mismatch()
    again = begun(kept)
    assert (fresh.is_again, again.is_again) == (False, True)
    assert again.salt == fresh.salt
    kept.abandon(again)
    assert not begun(kept, body_hash="other").is_again


def test_an_answer_is_kept_for_a_day_from_the_beginning(kept: Idempotency, clock: Clock) -> None:
    first = begun(kept)
    clock.now_ms += 1000
    kept.finish(first, ANSWER)
    clock.now_ms += KEPT_MS - 1000
    assert kept.begin("p_1", "key", "body") == Replay(ANSWER, first.salt)
    clock.now_ms += 1
    assert begun(kept).salt != first.salt


def test_of_one_player_so_many_keys_are_kept_and_none_is_forgotten_for_another(
    kept: Idempotency, clock: Clock, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.store.slots.KEPT_MAX", 3)
    for number in range(3):
        clock.now_ms += 1000
        kept.finish(begun(kept, key=str(number)), ANSWER)
    with pytest.raises(TooManyKeys) as full:
        kept.begin("p_1", "3", "body")
    assert full.value.room_in_ms == KEPT_MS + 1 - 2000
    assert isinstance(kept.begin("p_1", "0", "body"), Replay)
    assert isinstance(kept.begin("p_2", "3", "body"), Fresh)
    clock.now_ms += full.value.room_in_ms
    assert isinstance(kept.begin("p_1", "3", "body"), Fresh)


def test_a_swap_that_is_repeated_says_that_it_worked(slots: Slots) -> None:
    assert slots.swap("s", "a", b"", b"new", 1) == b"new"
    assert slots.swap("s", "a", b"", b"new", 1) == b"new"
    assert slots.swap("s", "a", b"", b"other", 1) == b"new"


def test_the_server_forgets_a_silent_player_by_itself(games_client: Redis) -> None:
    begun(Idempotency(RedisSlots(games_client)))
    for key in (keys.answers("p_1"), keys.answers_age("p_1")):
        assert 0 < games_client.pttl(key) <= KEPT_MS


def test_keys_stand_in_the_store_as_hashes_only(games_client: Redis) -> None:
    begun(Idempotency(RedisSlots(games_client)), None, "a-secret-key")
    held = [(key, games_client.dump(key)) for key in games_client.scan_iter()]
    assert len(held) == 2
    assert b"a-secret-key" not in repr(held).encode()


def test_a_clock_that_is_a_day_ahead_for_a_moment_forgets_no_answer(monkeypatch: pytest.MonkeyPatch) -> None:
    kept, told = Idempotency(MemorySlots()), Answer(201, {}, b"first")
    begun = kept.begin("p_1", "a", "h")
    assert isinstance(begun, Fresh)
    kept.finish(begun, told)
    system = time.time_ns
    with monkeypatch.context() as patched:
        patched.setattr(time, "time_ns", lambda: system() + 25 * 3600 * 10**9)
        kept.begin("p_1", "b", "h")
    assert kept.begin("p_1", "a", "h") == Replay(told, begun.salt)
