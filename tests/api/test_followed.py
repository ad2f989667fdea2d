"""Games as those who follow them read them: new when something was heard, and once for all."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from typing import Any

import pytest

from engine.log import fold_log
from service.followed import Followed
from service.services import Services
from service.store.connect import Unavailable
from tests.api.kinds import Until
from tests.api.played import Table, finished, started


@pytest.fixture
def table(client: Any) -> Table:
    return started(client)


def test_a_game_is_read_again_when_it_was_heard_of(services: Services, table: Table) -> None:
    before = services.followed.live("g_1", None)
    assert services.followed.live("g_1", None) is before
    table.lay(0)
    assert services.followed.live("g_1", None).game == table.state()


def test_a_game_is_read_again_after_a_while_for_hints_may_be_lost(services: Services, table: Table) -> None:
    now = [0.0]
    followed = Followed(services.play, services.hub, lambda: now[0])
    before = followed.live("g_1", None)
    services.games._notify = None  # type: ignore[attr-defined]  # every hint gets lost
    table.lay(0)
    assert followed.live("g_1", None) is before
    now[0] = 60
    assert followed.live("g_1", None).game == table.state()


def test_what_led_to_a_state_holds_nothing_newer(services: Services, table: Table) -> None:
    before = services.followed.live("g_1", None)
    table.lay(0)
    log = services.play.log("g_1")
    for after in (0, 3, before.game.seq, before.game.seq + 1):
        assert services.followed.since(before, after) == log[after : before.game.seq]
        steps = list(services.followed.steps(before, after))
        told = [envelope for step in steps for envelope in step.envelopes if envelope["seq"] > after]
        assert told == log[after : before.game.seq]


def test_each_step_is_between_two_states_that_the_log_folds_to(services: Services, client: Any) -> None:
    finished(client)
    live, log = services.play.live("g_1"), services.play.log("g_1")
    for after in (len(log) - 20, 0, 1, len(log) - 30, len(log) - 1, len(log) - 20):
        found = list(services.followed.steps(live, after))
        assert found
        for step in found:
            first, last = step.envelopes[0]["seq"], step.envelopes[-1]["seq"]
            assert step.before == (fold_log(log[: first - 1]) if first > 1 else None)
            assert step.after == fold_log(log[:last])
    assert list(services.followed.steps(live, len(log))) == []


def test_whoever_waited_while_somebody_failed_fails_with_it(services: Services, until: Until) -> None:
    moments: list[int] = []  # one for each who comes, and for each failure

    def clock() -> float:
        moments.append(len(moments))
        return float(moments[-1])

    followed = Followed(services.play, services.hub, clock)
    tries: list[int] = []

    def refuse(number: int) -> None:
        raise Unavailable(f"tried by {number}", retry_after_ms=7)

    def fail(number: int) -> str:
        try:
            with followed.turn("g_1"):
                tries.append(number)
                if number == 0:
                    until(lambda: len(moments) == 4)
                refuse(number)
        except Unavailable as away:
            return f"{away.reason}, {away.retry_after_ms}"
        return "nobody failed"

    with ThreadPoolExecutor(4) as pool:
        first = pool.submit(fail, 0)
        until(lambda: tries == [0])
        others = [pool.submit(fail, number) for number in (1, 2, 3)]
        assert {future.result() for future in (first, *others)} == {"tried by 0, 7"}
    assert tries == [0]
    assert fail(4) == "tried by 4, 7"
