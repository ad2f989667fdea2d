"""Counts of requests that all processes share, on a real server."""

import time

import pytest
from redis import Redis

from service.store import connect
from service.store.connect import Unavailable
from service.store.embedded import Embedded, Urls
from service.store.quotas import Rate, RedisQuotas, parse_rate

RATE = Rate(5, 10)


@pytest.fixture
def quotas(redis_urls: Urls, queue_client: Redis) -> RedisQuotas:
    """Quotas on the queue's server, which is empty when the test begins."""
    return RedisQuotas(connect.limits_client(redis_urls.queue))


def test_requests_are_counted_until_the_rate_is_reached_and_then_it_is_told_when_to_come_again(
    quotas: RedisQuotas,
) -> None:
    found = [quotas.count("reading", "t/ada", RATE, 1) for _ in range(6)]
    assert [counted.granted for counted in found] == [True] * 5 + [False]
    assert [counted.left for counted in found] == [4, 3, 2, 1, 0, 0]
    assert 0 < found[-1].more_in_s <= 10


def test_more_than_is_left_is_not_counted_at_all(quotas: RedisQuotas) -> None:
    assert quotas.count("reading", "t/ada", RATE, 3).granted
    assert not quotas.count("reading", "t/ada", RATE, 3).granted
    assert quotas.count("reading", "t/ada", RATE, 2).left == 0


def test_every_client_and_every_bucket_has_a_count_of_its_own(quotas: RedisQuotas) -> None:
    assert quotas.count("reading", "t/ada", RATE, 5).left == 0
    assert quotas.count("laying", "t/ada", RATE, 1).left == 4
    assert quotas.count("reading", "t/eve", RATE, 1).left == 4


def test_processes_share_their_counts(redis_urls: Urls, quotas: RedisQuotas) -> None:
    other = RedisQuotas(connect.limits_client(redis_urls.queue))
    assert quotas.count("reading", "t/ada", RATE, 3).left == 2
    assert other.count("reading", "t/ada", RATE, 2).left == 0
    assert not quotas.count("reading", "t/ada", RATE, 1).granted


def test_a_count_is_small_and_goes_by_itself(quotas: RedisQuotas, queue_client: Redis) -> None:
    quotas.count("reading", "t/ada", Rate(100_000, 10), 50_000)
    (key,) = queue_client.keys("take5:rate:*")
    assert (queue_client.memory_usage(key) or 0) < 200
    assert 0 < queue_client.pttl(key) <= 20_000


def test_without_its_server_counting_is_unavailable_and_says_so_soon(own_servers: Embedded) -> None:
    quotas = RedisQuotas(connect.limits_client(own_servers.urls.queue))
    assert quotas.count("reading", "t/ada", RATE, 1).granted
    own_servers.servers[1].stop()
    begun = time.monotonic()
    with pytest.raises(Unavailable):
        quotas.count("reading", "t/ada", RATE, 1)
    assert time.monotonic() - begun < connect.PATIENCE_S
    own_servers.ensure()
    assert quotas.count("reading", "t/ada", RATE, 1).granted


@pytest.mark.parametrize(
    ("text", "rate"),
    [
        ("600 per 10 seconds", Rate(600, 10)),
        ("1 per second", Rate(1, 1)),
        ("5/minute", Rate(5, 60)),
        ("none", None),
    ],
)
def test_a_rate_is_read_from_words(text: str, rate: Rate | None) -> None:
    assert parse_rate(text) == rate


@pytest.mark.parametrize("text", ["", "many", "600", "0 per second", "-5 per second", "5 per 2 days"])
def test_no_rate_is_guessed(text: str) -> None:
    with pytest.raises(ValueError, match=r"."):
        parse_rate(text)
