"""What one process decides of how much a client may ask, by a clock of the test's own."""

from dataclasses import dataclass, field

import pytest

from service.limiter import Limiter
from service.store.connect import Unavailable
from service.store.quotas import Counted, Rate

RATE = Rate(100, 10)


@dataclass
class Shared:
    """Quotas of all processes, by the test's clock, which never moves on by itself."""

    left: int = 100
    asked: list[int] = field(default_factory=list)
    is_away: bool = False
    now: float = 1000.0

    def count(self, bucket: str, client: str, rate: Rate, cost: int) -> Counted:
        self.asked.append(cost)
        if self.is_away:
            raise Unavailable("away")
        granted = cost <= self.left
        self.left -= cost * granted
        return Counted(granted, self.left, 4.0)

    def clock(self) -> float:
        return self.now


@pytest.fixture
def shared() -> Shared:
    return Shared()


@pytest.fixture
def limiter(shared: Shared) -> Limiter:
    return Limiter({"reading": RATE}, shared, shared.clock)


def ask(limiter: Limiter, times: int, client: str = "t/ada") -> list[bool]:
    """Ask so many times; which of them were served."""
    return [not limiter.count("reading", client, RATE).is_refused for _ in range(times)]


def test_whoever_has_nothing_else_in_flight_is_alone_there(limiter: Limiter) -> None:
    assert limiter.enter("reading", "t/ada") == 1
    assert limiter.enter("reading", "t/ada") == 2
    assert limiter.enter("laying", "t/ada") == 1
    assert limiter.enter("reading", "t/eve") == 1
    limiter.leave("reading", "t/ada")
    limiter.leave("reading", "t/ada")
    assert limiter.enter("reading", "t/ada") == 1


def test_a_lane_can_be_full(limiter: Limiter) -> None:
    assert [limiter.enter("waiting", "t/ada", 2) for _ in range(3)] == [1, 2, None]
    limiter.leave("waiting", "t/ada")
    assert limiter.enter("waiting", "t/ada", 2) == 2


def test_no_more_is_served_than_all_processes_have_together(limiter: Limiter, shared: Shared) -> None:
    assert sum(ask(limiter, 150)) == 100
    assert shared.left == 0


def test_who_asks_much_is_counted_in_portions_that_grow(limiter: Limiter, shared: Shared) -> None:
    ask(limiter, 60)
    assert shared.asked[:5] == [1, 2, 4, 5, 5]
    assert len(shared.asked) < 20


def test_who_asks_little_is_counted_one_by_one(limiter: Limiter, shared: Shared) -> None:
    for _ in range(10):
        assert ask(limiter, 1) == [True]
        shared.now += 1.5
    assert shared.asked == [1] * 10


def test_the_last_requests_of_a_quota_are_given_out_one_by_one(limiter: Limiter, shared: Shared) -> None:
    shared.left = 9
    assert ask(limiter, 12) == [True] * 9 + [False] * 3


def test_a_refusal_is_remembered_until_there_may_be_more(limiter: Limiter, shared: Shared) -> None:
    shared.left = 0
    refused = limiter.count("reading", "t/ada", RATE)
    assert (refused.is_refused, refused.left, refused.more_in_s) == (True, 0, 4.0)
    ask(limiter, 50)
    assert shared.asked == [1]
    shared.left, shared.now = 100, shared.now + 4.0
    assert ask(limiter, 1) == [True]


def test_where_a_client_stands_is_told_without_asking(limiter: Limiter, shared: Shared) -> None:
    assert limiter.standing("reading", "t/ada", RATE).left == 100
    counted = limiter.count("reading", "t/ada", RATE)
    assert counted.left == limiter.standing("reading", "t/ada", RATE).left == 99
    shared.now += 100
    assert limiter.standing("reading", "t/ada", RATE).left == 100


def test_while_nobody_can_be_asked_a_process_counts_for_itself(limiter: Limiter, shared: Shared) -> None:
    shared.is_away = True
    assert sum(ask(limiter, 150)) == 100
    assert shared.asked == [1]
    shared.now += 10
    assert sum(ask(limiter, 150)) == 100


def test_quotas_that_are_away_are_left_alone_for_a_moment_and_used_again_after_it(
    limiter: Limiter, shared: Shared
) -> None:
    shared.is_away = True
    ask(limiter, 1)
    ask(limiter, 1, "t/eve")
    assert shared.asked == [1]
    shared.is_away, shared.now = False, shared.now + 1.0
    ask(limiter, 1, "t/bob")
    assert shared.asked == [1, 1]
    assert shared.left == 99


def test_without_quotas_a_process_counts_alone(shared: Shared) -> None:
    assert sum(ask(Limiter({"reading": RATE}, None, shared.clock), 150)) == 100


def test_memory_of_clients_has_an_end(
    limiter: Limiter, shared: Shared, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("service.limiter._SHARES_MOST", 10)
    shared.left = 1000
    for number in range(25):
        ask(limiter, 1, f"t/{number}")
        assert len(limiter._shares) <= 10
    shared.now += 5
    ask(limiter, 1)
    assert [*limiter._shares] == [("reading", "t/ada")] or len(limiter._shares) <= 10
