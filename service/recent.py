"""What was made lately, kept so that it need not be made again."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Hashable
from threading import Lock
from typing import Any


class Recent:
    """At most `most` values by key, each good for one state of what it was made from; safe to share between threads."""

    def __init__(self, most: int) -> None:
        """Begin with nothing."""
        self._most = most
        self._lock = Lock()
        self._kept: OrderedDict[Hashable, tuple[str, Any]] = OrderedDict()

    def get(self, key: Hashable, state: str) -> Any:
        """Return what was kept under `key` for this very state, or None."""
        with self._lock:
            kept = self._kept.get(key)
            if kept is None or kept[0] != state:
                return None
            self._kept.move_to_end(key)
            return kept[1]

    def put(self, key: Hashable, state: str, value: Any) -> None:
        """Keep `value` under `key` in place of any other state's; what was not asked for longest goes."""
        with self._lock:
            self._kept[key] = (state, value)
            self._kept.move_to_end(key)
            if len(self._kept) > self._most:
                self._kept.popitem(last=False)
