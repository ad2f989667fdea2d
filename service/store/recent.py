"""What was made lately, kept so that it need not be made again."""

import time
from collections import OrderedDict
from collections.abc import Callable, Hashable
from threading import Lock
from typing import Final, Generic, TypeVar

V = TypeVar("V")

IDLE_S: Final = 60.0
"""What nobody has asked for so long is let go: a process needs memory for what goes on, not for all that ever did."""


class Recent(Generic[V]):
    """At most `most` values by key, each good for one state of what it was made from; safe to share between threads."""

    def __init__(
        self, most: int, *, idle_s: float = IDLE_S, clock: Callable[[], float] = time.monotonic
    ) -> None:
        """Begin with nothing; what was not asked for in `idle_s` goes when something new comes."""
        self._most = most
        self._idle_s = idle_s
        self._clock = clock
        self._lock = Lock()
        self._kept: OrderedDict[Hashable, tuple[str, V, float]] = OrderedDict()

    def __len__(self) -> int:
        return len(self._kept)

    def get(self, key: Hashable, state: str = "") -> V | None:
        """Return what was kept under `key` for this very state, or None."""
        with self._lock:
            kept = self._kept.get(key)
            if kept is None or kept[0] != state:
                return None
            self._kept[key] = (state, kept[1], self._clock())
            self._kept.move_to_end(key)
            return kept[1]

    def put(self, key: Hashable, state: str, value: V) -> None:
        """Keep `value` under `key` in place of any other state's; what was not asked for longest goes."""
        with self._lock:
            now_s = self._clock()
            self._kept[key] = (state, value, now_s)
            self._kept.move_to_end(key)
            while len(self._kept) > self._most or self._is_idle(now_s):
                self._kept.popitem(last=False)

    def _is_idle(self, now_s: float) -> bool:
        """Whether nobody asks any more for what was not asked for longest."""
        _, _, used_s = next(iter(self._kept.values()))
        return used_s < now_s - self._idle_s

    def drop(self, key: Hashable) -> None:
        """Let go of what is kept under `key`, if anything is."""
        with self._lock:
            self._kept.pop(key, None)

    def clear(self) -> None:
        """Let go of everything."""
        with self._lock:
            self._kept.clear()
