"""Waiting for news: nothing that happens after the ticket is missed, and nobody is woken for others."""

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Lock

import pytest

from service.store.hub import Hub

Until = Callable[[Callable[[], bool]], None]


@pytest.fixture
def hub() -> Hub:
    return Hub()


def test_news_between_the_ticket_and_the_waiting_is_not_missed(hub: Hub) -> None:
    ticket = hub.ticket()
    hub.notify("g_1")
    assert hub.wait(["g_1"], ticket, 60)


def test_news_before_the_ticket_is_old(hub: Hub) -> None:
    hub.notify("g_1")
    assert not hub.wait(["g_1"], hub.ticket(), 0)


def test_news_of_another_key_wakes_nobody(hub: Hub) -> None:
    ticket = hub.ticket()
    hub.notify("g_2")
    assert not hub.wait(["g_1"], ticket, 0)


def test_it_can_be_asked_whether_there_was_news(hub: Hub) -> None:
    ticket = hub.ticket()
    assert not hub.heard(["g_1"], ticket)
    hub.notify("g_1")
    assert hub.heard(["g_2", "g_1"], ticket)
    assert not hub.heard(["g_2"], ticket)
    hub.notify_all()
    assert hub.heard(["g_2"], ticket)
    assert not hub.heard(["g_2"], hub.ticket())


def test_who_waits_for_several_keys_is_woken_by_each(hub: Hub, until: Until) -> None:
    for key in ("g_1", "g_2", "p_1"):
        ticket = hub.ticket()
        with ThreadPoolExecutor() as pool:
            woken = pool.submit(hub.wait, ["g_1", "g_2", "p_1", "g_1"], ticket, 60)
            until(lambda: hub.waiting == 3)
            hub.notify(key)
            assert woken.result()
        assert hub.waiting == 0


def test_all_who_wait_for_a_key_are_woken(hub: Hub) -> None:
    ticket = hub.ticket()
    with ThreadPoolExecutor(8) as pool:
        woken = [pool.submit(hub.wait, ["g_1"], ticket, 60) for _ in range(8)]
        hub.notify("g_1")
        assert all(future.result() for future in woken)


def test_when_news_may_have_been_missed_everybody_is_woken(hub: Hub, until: Until) -> None:
    ticket = hub.ticket()
    with ThreadPoolExecutor() as pool:
        woken = pool.submit(hub.wait, ["g_1"], ticket, 60)
        until(lambda: hub.waiting == 1)
        hub.notify_all()
        assert woken.result()
    assert hub.wait(["g_2"], ticket, 60)
    assert not hub.wait(["g_2"], hub.ticket(), 0)


def test_a_key_that_was_forgotten_wakes_rather_than_sleeps() -> None:
    hub = Hub(remembered_max=2)
    ticket = hub.ticket()
    hub.notify("g_1")
    later = hub.ticket()
    hub.notify("g_2")
    assert not hub.wait(["g_3"], ticket, 0)
    hub.notify("g_3")
    assert hub.wait(["g_1"], ticket, 60)
    assert not hub.wait(["g_1"], later, 0)


def test_a_closed_hub_sends_everybody_home(hub: Hub, until: Until) -> None:
    ticket = hub.ticket()
    with ThreadPoolExecutor() as pool:
        woken = pool.submit(hub.wait, ["g_1"], ticket, 60)
        until(lambda: hub.waiting == 1)
        hub.close()
        assert not woken.result()
    hub.notify("g_1")
    assert not hub.wait(["g_1"], ticket, 60)
    assert hub.is_closed
    assert not Hub().is_closed


def test_no_wake_up_is_lost_among_many_threads(hub: Hub) -> None:
    keys, steps = [f"g_{number}" for number in range(4)], 2000
    reached = dict.fromkeys(keys, 0)
    lock = Lock()

    def write(key: str) -> None:
        for _ in range(steps):
            with lock:
                reached[key] += 1
            hub.notify(key)

    def follow(key: str) -> int:
        seen = 0
        while seen < steps:
            ticket = hub.ticket()
            with lock:
                newest = reached[key]
            if newest == seen:
                assert hub.wait([key], ticket, 30), "slept through a change"
            seen = newest
        return seen

    with ThreadPoolExecutor(12) as pool:
        followers = [pool.submit(follow, key) for key in keys * 2]
        writers = [pool.submit(write, key) for key in keys]
        assert all(future.result() == steps for future in followers)
        assert all(future.result() is None for future in writers)
