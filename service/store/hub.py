"""Waiting for news of games and players without a lost wake-up, and with one connection a process.

Take a ticket, read what you are interested in, and if it is not new, wait for anything newer than the ticket: whatever
happens between the reading and the waiting is not missed.  A wake-up is a hint: read again, and wait again if it was none.
"""

from collections import OrderedDict, defaultdict
from collections.abc import Collection
from threading import Event, Lock

_REMEMBERED_MAX = 10_000


class Hub:
    """The waiting room of one process: `notify` wakes those who wait for a key, from whatever thread.

    Keys are ids of games and players.  The hub alone serves a store in memory; for a server, `listener.Listener` feeds it.
    """

    def __init__(self, remembered_max: int = _REMEMBERED_MAX) -> None:
        """Remember when the last `remembered_max` keys were heard of; for any other, a wake-up may be needless."""
        self._remembered_max = remembered_max
        self._lock = Lock()
        self._now = 0
        self._floor = 0  # everything forgotten happened at or before this
        self._last: OrderedDict[str, int] = OrderedDict()
        self._waiting: defaultdict[str, set[Event]] = defaultdict(set)
        self._closed = False

    def ticket(self) -> int:
        """Return the moment to wait from; take it **before** reading."""
        with self._lock:
            return self._now

    def wait(self, wanted: Collection[str], ticket: int, timeout_s: float) -> bool:
        """Return True as soon as one of the keys was heard of since `ticket`, at once if it was already.

        False when the time is up or the hub is closed.
        """
        bell = Event()
        with self._lock:
            if self._closed:
                return False
            if self._heard(wanted, ticket):
                return True
            for key in wanted:
                self._waiting[key].add(bell)
        bell.wait(timeout_s)
        with self._lock:
            for key in wanted:
                self._waiting[key].discard(bell)
                if not self._waiting[key]:
                    del self._waiting[key]
            return self._heard(wanted, ticket) and not self._closed

    def heard(self, wanted: Collection[str], ticket: int) -> bool:
        """Return whether one of the keys was heard of since `ticket`; also when that cannot be told any more."""
        with self._lock:
            return self._heard(wanted, ticket)

    def _heard(self, wanted: Collection[str], ticket: int) -> bool:
        return ticket < self._floor or any(self._last.get(key, 0) > ticket for key in wanted)

    def notify(self, key: str) -> None:
        """Wake whoever waits for this key."""
        with self._lock:
            self._now += 1
            self._last[key] = self._now
            self._last.move_to_end(key)
            if len(self._last) > self._remembered_max:
                self._floor = self._last.popitem(last=False)[1]
            for bell in self._waiting.get(key, ()):
                bell.set()

    def notify_all(self) -> None:
        """Wake everybody: news may have been missed."""
        with self._lock:
            self._now += 1
            self._floor = self._now
            self._last.clear()
            self._ring_all()

    def close(self) -> None:
        """Send everybody home with False, now and from now on."""
        with self._lock:
            self._closed = True
            self._ring_all()

    def _ring_all(self) -> None:
        for bells in self._waiting.values():
            for bell in bells:
                bell.set()

    @property
    def is_closed(self) -> bool:
        """Whether everybody has been sent home."""
        return self._closed

    @property
    def waiting(self) -> int:
        """How many keys somebody waits for."""
        with self._lock:
            return len(self._waiting)
