"""The game store in this process's memory: for tests and for trying things out; gone when the process ends."""

import heapq
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass, field
from threading import Lock
from typing import get_args

from service.store.contract import STATUSES, Appended, Entry, Kind, Loaded
from service.store.doors import CODE, DoorKey


@dataclass(slots=True)
class _Kept:
    """One game's row: the only thing in here that changes, always under the store's lock."""

    created_ms: int
    status: str = ""
    phase: str = ""
    snapshot: bytes | None = None
    snapshot_seq: int = 0
    secrets: dict[str, str] = field(default_factory=dict[str, str])
    entries: dict[int, bytes] = field(default_factory=dict[int, bytes])
    door: frozenset[str] = frozenset()

    @property
    def seq(self) -> int:
        return next(reversed(self.entries), 0)

    def after(self, seq: int) -> tuple[tuple[int, bytes], ...]:
        return tuple((at, events) for at, events in self.entries.items() if at > seq)

    def is_opened_by(self, key: DoorKey) -> bool:
        """Whether the door is open to all, or the key opens it."""
        has_code = CODE in self.door and key.code == self.secrets.get("join_code")
        return not self.door or has_code or not self.door.isdisjoint(key.words)


class MemoryStore:
    """A `GameStore` in memory, safe to share between threads.

    `notify` is told the id of every game that was appended to, as `Hub.notify` wants it.
    """

    def __init__(self, notify: Callable[[str], None] | None = None) -> None:
        """Begin with no games."""
        self._notify = notify
        self._lock = Lock()
        self._games: dict[str, _Kept] = {}
        self._codes: dict[str, str] = {}
        self._due: dict[str, dict[str, int]] = {kind: {} for kind in get_args(Kind)}
        self._late: dict[str, dict[str, int]] = {kind: {} for kind in get_args(Kind)}

    def append(self, entry: Entry) -> Appended:
        """Write the entry if its game still is at `after`; see `GameStore.append`."""
        with self._lock:
            kept = self._games.get(entry.game) or _Kept(entry.created_ms)
            if kept.seq != entry.after:
                same = kept.entries.get(entry.seq) == entry.events
                return Appended.REPEATED if same else Appended.STALE
            if kept.entries and entry.head.encode() not in kept.entries[kept.seq]:
                return Appended.STALE
            self._games[entry.game] = kept
            kept.entries[entry.seq] = entry.events
            kept.status, kept.phase = entry.status, entry.phase
            kept.created_ms = entry.created_ms
            if entry.snapshot is not None:
                kept.snapshot, kept.snapshot_seq, kept.door = entry.snapshot, entry.seq, entry.door
            if entry.secrets:
                kept.secrets = dict(entry.secrets)
            self._mark("turns", entry.game, entry.due_turns)
            self._mark("bots", entry.game, entry.due_bots)
        if self._notify:
            self._notify(entry.game)
        return Appended.RECORDED

    def _mark(self, kind: Kind, game: str, at_ms: int | None) -> None:
        self._late[kind].pop(game, None)
        if at_ms is None:
            self._due[kind].pop(game, None)
        else:
            self._due[kind][game] = at_ms

    def load(self, game: str, key: DoorKey | None = None) -> Loaded | None:
        """Return the last snapshot and the entries after it; see `GameStore.load`."""
        with self._lock:
            kept = self._games.get(game)
            if kept is None or (key is not None and not kept.is_opened_by(key)):
                return None
            return Loaded(kept.seq, kept.snapshot, kept.snapshot_seq, kept.after(kept.snapshot_seq))

    def name_code(self, code: str, game: str) -> None:
        """Have a game found by its join code; see `GameStore.name_code`."""
        with self._lock:
            self._codes[code] = game

    def by_code(self, code: str) -> str | None:
        """Return the game that may have a join code; see `GameStore.by_code`."""
        with self._lock:
            return self._codes.get(code)

    def since(self, game: str, after: int) -> tuple[tuple[int, bytes], ...]:
        """Return the entries whose seq is above `after`; see `GameStore.since`."""
        with self._lock:
            kept = self._games.get(game)
            return kept.after(after) if kept else ()

    def log(self, game: str) -> Iterator[bytes]:
        """Yield the events of every entry; see `GameStore.log`."""
        for _, events in self.since(game, 0):
            yield events

    def secrets(self, game: str) -> dict[str, str]:
        """Return the secrets written with the first entry; see `GameStore.secrets`."""
        with self._lock:
            kept = self._games.get(game)
            return dict(kept.secrets) if kept else {}

    def due(self, kind: Kind, now_ms: int, limit: int) -> list[str]:
        """Return the games to look at, the longest overdue first; see `GameStore.due`."""
        with self._lock:
            overdue = [(at_ms, game) for game, at_ms in self._due[kind].items() if at_ms <= now_ms]
        return [game for _, game in heapq.nsmallest(limit, overdue)]

    def postpone(self, kind: Kind, game: str, until_ms: int) -> None:
        """Move a due game to a later time; see `GameStore.postpone`."""
        with self._lock:
            at_ms = self._due[kind].get(game)
            if at_ms is not None:
                self._late[kind].setdefault(game, at_ms)
                self._due[kind][game] = max(at_ms, until_ms)

    def late(self, kind: Kind, before_ms: int, limit: int) -> list[tuple[int, str]]:
        """Return the games that have been due for so long; see `GameStore.late`."""
        with self._lock:
            since = self._due[kind] | self._late[kind]
        overdue = ((since_ms, game) for game, since_ms in since.items() if since_ms <= before_ms)
        return heapq.nsmallest(limit, overdue)

    def phases(self) -> dict[str, int]:
        """Return how many open games there are in each phase; see `GameStore.phases`."""
        with self._lock:
            return dict(Counter(kept.phase for kept in self._games.values() if kept.phase))

    def listed(self, status: str, before: tuple[int, str] | None, limit: int) -> list[tuple[int, str]]:
        """Return the games of a status, newest first; see `GameStore.listed`."""
        if status not in STATUSES:
            raise ValueError(f"unknown status {status!r}")
        with self._lock:
            found = [(kept.created_ms, game) for game, kept in self._games.items() if kept.status == status]
        return heapq.nlargest(limit, (pair for pair in found if before is None or pair < before))
