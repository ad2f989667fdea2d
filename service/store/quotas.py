"""How much of its rate a client has used, counted for all processes together by the `limits` library.

The counts stand on the queue's server, where nothing is written to a disk and nothing is of value: a count on the games'
server would cost a write to its disk.  They are sliding windows of two counters, whatever the rate.
"""

import time
from dataclasses import dataclass
from typing import Final, Literal, Protocol

import limits
from limits.storage import RedisStorage
from limits.strategies import SlidingWindowCounterRateLimiter
from redis import Redis

from service.store.connect import reaching

Bucket = Literal["reading", "laying", "writing", "creating", "streams", "exports"]
"""What a request is counted as."""

BUCKETS: Final[tuple[Bucket, ...]] = ("reading", "laying", "writing", "creating", "streams", "exports")

_PREFIX: Final = "take5:rate"
_SOONEST_S: Final = 0.1
"""How soon whoever was refused may come again, at least."""


@dataclass(frozen=True, slots=True)
class Rate:
    """So many requests in so many seconds."""

    requests: int
    window_s: int

    def times(self, factor: int) -> "Rate":
        """Return the rate of so many clients together."""
        return Rate(self.requests * factor, self.window_s)


@dataclass(frozen=True, slots=True)
class Counted:
    """Whether requests were counted or refused, how many more may be now, and in how many seconds there may be more."""

    granted: bool
    left: int
    more_in_s: float


class Quotas(Protocol):
    """The counts of all processes together."""

    def count(self, bucket: str, client: str, rate: Rate, cost: int) -> Counted:
        """Count `cost` requests of a client, or none if that would be more than the rate; raises Unavailable."""
        ...


def parse_rate(text: str) -> Rate | None:
    """Return the rate that `text` says, as in `600 per 10 seconds`; None for `none`.

    Raises ValueError for anything else, and for a window longer than a day.
    """
    if text == "none":
        return None
    item = limits.parse(text)
    if not (item.amount > 0 and 0 < item.get_expiry() <= 86_400):
        raise ValueError(f"no rate: {text!r}")
    return Rate(item.amount, item.get_expiry())


class RedisQuotas:
    """`Quotas` on a server that several processes share."""

    def __init__(self, client: Redis) -> None:
        """Use a client of `connect.limits_client`."""
        # The library takes a URL for its own sake; it connects through the pool that it is given.
        storage = RedisStorage("redis://", connection_pool=client.connection_pool, key_prefix=_PREFIX)
        self._windows = SlidingWindowCounterRateLimiter(storage)

    @reaching()
    def count(self, bucket: str, client: str, rate: Rate, cost: int) -> Counted:
        """Count requests of a client; see `Quotas.count`."""
        item = limits.RateLimitItemPerSecond(rate.requests, rate.window_s, bucket)
        granted = self._windows.hit(item, client, cost=cost)
        stats = self._windows.get_window_stats(item, client)
        soonest_s = 0.0 if granted else _SOONEST_S  # a window may end while it is looked at
        return Counted(granted, stats.remaining, max(soonest_s, stats.reset_time - time.time()))
