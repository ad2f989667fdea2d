"""How often a client may ask: the part of it that one process decides, with the others where they have to be asked.

A request that is its client's only one of its kind is never counted, so whoever asks one thing at a time can never be
refused.  The others are counted, against the shared quotas.  A process takes its share of them in growing portions, so that
most requests cost no round trip, and counts alone while the quotas cannot be reached.
"""

from __future__ import annotations

import math
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from threading import Lock
from typing import Final

import structlog

from service.store.connect import Unavailable
from service.store.quotas import Bucket, Counted, Quotas, Rate

log = structlog.get_logger("take5.limits")

_PORTIONS: Final = 20
"""The largest portion that a process takes at a time, as a part of the whole quota: what it does not use is lost."""

_PORTION_LASTS: Final = 10
"""For which part of the window a portion can be used."""

_AWAY_S: Final = 1.0
"""How long the quotas are left alone after they could not be reached."""

_SHARES_MOST: Final = 20_000
_LOCKS: Final = 64

Key = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Standing:
    """Where a client stands: how many more requests may be counted within `more_in_s` seconds, and whether this one was."""

    rate: Rate
    left: int
    more_in_s: float
    is_refused: bool = False


@dataclass(slots=True)
class _Share:
    """What this process holds of a client's quota, for how long; and what is left of it for all."""

    portion: int
    here: int
    elsewhere: int
    until_s: float
    is_refused: bool = False
    is_alone: bool = False


class Limiter:
    """The requests in flight of one process by client and kind, and its shares of their quotas; for all its threads."""

    def __init__(
        self,
        rates: Mapping[Bucket, Rate | None],
        quotas: Quotas | None,
        clock: Callable[[], float] = time.monotonic,
    ) -> None:
        """Limit each bucket to its rate, where it has one; without `quotas` the process counts alone."""
        self.rates = rates
        self._quotas = quotas
        self._clock = clock
        self._lock = Lock()
        self._lanes: dict[Key, int] = {}
        self._shares: dict[Key, _Share] = {}
        self._asking = tuple(Lock() for _ in range(_LOCKS))
        self._away_until_s = -math.inf

    def enter(self, lane: str, client: str, most: int | None = None) -> int | None:
        """Note that a client begins something, and return how many of that kind it has going on now, this one included.

        None when there would be more than `most`; then it is not noted.
        """
        key = (lane, client)
        with self._lock:
            count = self._lanes.get(key, 0) + 1
            if most is not None and count > most:
                return None
            self._lanes[key] = count
            return count

    def leave(self, lane: str, client: str) -> None:
        """Note that what `enter` noted is over."""
        key = (lane, client)
        with self._lock:
            count = self._lanes[key] - 1
            if count:
                self._lanes[key] = count
            else:
                del self._lanes[key]

    def standing(self, bucket: str, client: str, rate: Rate) -> Standing:
        """Return where a client stands as far as this process knows, without counting anything."""
        share = self._shares.get((bucket, client))
        left_s = share.until_s - self._clock() if share else 0
        if share is None or left_s <= 0:
            return Standing(rate, rate.requests, rate.window_s)
        return Standing(rate, share.here + share.elsewhere, left_s)

    def count(self, bucket: str, client: str, rate: Rate) -> Standing:
        """Count a request of a client against its quota, or refuse it."""
        key = (bucket, client)
        known = self._from_share(key, rate)
        if known is not None:
            return known
        with self._asking[hash(key) % _LOCKS]:  # one thread asks for all that wait
            known = self._from_share(key, rate)
            return known if known is not None else self._ask(key, rate)

    def _from_share(self, key: Key, rate: Rate) -> Standing | None:
        """Take a request from what this process holds; None when it has to ask."""
        with self._lock:
            share = self._shares.get(key)
            left_s = share.until_s - self._clock() if share else 0
            if share is None or left_s <= 0:
                return None
            if share.is_refused:
                return Standing(rate, 0, left_s, is_refused=True)
            if share.here == 0:
                return None
            share.here -= 1
            return Standing(rate, share.here + share.elsewhere, left_s)

    def _ask(self, key: Key, rate: Rate) -> Standing:
        now = self._clock()
        before = self._shares.get(key)
        was_used_up = before is not None and before.here == 0 and before.until_s > now
        portion = min(2 * before.portion, max(1, rate.requests // _PORTIONS)) if before and was_used_up else 1
        counted = self._counted(key, rate, portion, now)
        if counted is None:
            share = self._alone(before, rate, now)
        else:
            portion, answer = counted
            until_s = now + (rate.window_s / _PORTION_LASTS if answer.granted else max(0.1, answer.more_in_s))
            here = portion if answer.granted else 0
            share = _Share(portion, here, answer.left, until_s, not answer.granted)
        with self._lock:
            if len(self._shares) >= _SHARES_MOST:
                self._shares = {kept: held for kept, held in self._shares.items() if held.until_s > now}
            if len(self._shares) >= _SHARES_MOST:
                self._shares.clear()
            self._shares[key] = share
            share.here -= not share.is_refused
        return Standing(rate, share.here + share.elsewhere, share.until_s - now, share.is_refused)

    def _counted(self, key: Key, rate: Rate, portion: int, now: float) -> tuple[int, Counted] | None:
        """Return how many requests the quotas were asked for and what they said; None when they cannot be reached."""
        if self._quotas is None or now < self._away_until_s:
            return None
        try:
            counted = self._quotas.count(*key, rate, portion)
            if portion > 1 and not counted.granted:
                portion, counted = 1, self._quotas.count(*key, rate, 1)
        except Unavailable as error:
            self._away_until_s = self._clock() + _AWAY_S
            log.warning("quotas_unavailable", reason=error.reason)
            return None
        return portion, counted

    def _alone(self, before: _Share | None, rate: Rate, now: float) -> _Share:
        """Return the share of a process that counts alone: one quota a window, none of it once that is used up."""
        if before is not None and before.is_alone and before.until_s > now:
            return _Share(1, 0, 0, before.until_s, is_refused=True, is_alone=True)
        return _Share(1, rate.requests, 0, now + rate.window_s, is_alone=True)
