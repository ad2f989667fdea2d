"""The streams that a process keeps open: how many there may be, and whose."""

from __future__ import annotations

import itertools
import time
from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass, field
from threading import Lock
from typing import Final, Literal

from service.metrics import STREAM_READERS

SWEEP_S: Final = 0.5
"""How often it is looked at most whether those that fill a limit are still there."""

Limit = Literal["token", "address", "all"]
Scope = tuple[Limit, str]
"""Whose streams are counted together: a token's, an address's, or all of them."""


class TooManyStreams(Exception):
    """There is no place for one more; `limit` says among whose."""

    def __init__(self, limit: Limit) -> None:
        super().__init__(limit)
        self.limit: Limit = limit


@dataclass(eq=False, slots=True)
class Place:
    """One open stream; `key` is what the hub is told when it must look whether its place `is_lost`."""

    key: str
    token: str | None
    address: str
    has_gone: Callable[[], bool]
    is_lost: bool = False


@dataclass(slots=True)
class Streams:
    """The places of one process, shared by its threads.

    A client that has gone is noticed when it is written to, seconds later. So that one that comes back at once finds a
    place, those that fill a limit are looked at before anybody is refused; `notify` wakes those that have lost theirs.
    """

    most: int
    per_token: int
    per_address: int
    notify: Callable[[str], None]
    clock: Callable[[], float] = time.monotonic
    _lock: Lock = field(default_factory=Lock)
    _places: set[Place] = field(default_factory=set[Place])
    _held: Counter[Scope] = field(default_factory=Counter[Scope])
    _swept_s: dict[Scope, float] = field(default_factory=dict[Scope, float])
    _numbers: itertools.count[int] = field(default_factory=itertools.count)

    @property
    def open(self) -> int:
        """How many streams are open now."""
        return len(self._places)

    def enter(self, token: str | None, address: str, has_gone: Callable[[], bool]) -> Place:
        """Take a place for a stream of the holder of `token`, if there is one, at `address`; raises TooManyStreams."""
        place = Place(f"stream/{next(self._numbers)}", token, address, has_gone)
        full = self._take(place)
        if full is not None and self._may_sweep(full):
            self._sweep(full)
            full = self._take(place)
        if full is not None:
            raise TooManyStreams(full[0])
        return place

    def _take(self, place: Place) -> Scope | None:
        """Note a place, or return among whose there are too many."""
        most: dict[Limit, int] = {"token": self.per_token, "address": self.per_address, "all": self.most}
        with self._lock:
            for scope in _scopes(place):
                if self._held[scope] >= most[scope[0]]:
                    return scope
            self._places.add(place)
            STREAM_READERS.inc()
            self._held.update(_scopes(place))
            return None

    def _may_sweep(self, scope: Scope) -> bool:
        with self._lock:
            now_s = self.clock()
            if now_s < self._swept_s.get(scope, float("-inf")) + SWEEP_S:
                return False
            lately = {one: at_s for one, at_s in self._swept_s.items() if now_s < at_s + SWEEP_S}
            self._swept_s = {**lately, scope: now_s}
            return True

    def _sweep(self, scope: Scope) -> None:
        """Take their places from those who have gone."""
        with self._lock:
            those = [place for place in self._places if scope in _scopes(place)]
        for place in those:
            if place.has_gone():
                place.is_lost = True
                self.leave(place)
                self.notify(place.key)

    def leave(self, place: Place) -> None:
        """Give a place back; more than once does no harm."""
        with self._lock:
            if place in self._places:
                self._places.remove(place)
                STREAM_READERS.dec()
                self._held.subtract(_scopes(place))
                for scope in _scopes(place):
                    if not self._held[scope]:
                        del self._held[scope]


def _scopes(place: Place) -> list[Scope]:
    """Return what a place counts among."""
    own: list[Scope] = [("token", place.token)] if place.token else []
    return [*own, ("address", place.address), ("all", "")]
