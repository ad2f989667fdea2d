"""What every game store promises, as types: one entry in, one entry out, bytes left alone.

A store keeps one log a game.  An entry is the effect of one command; its `seq` is the seq of its last event and the only
counter there is: the version of the game, the cursor of a reader, the id in the stream.  All times are milliseconds since
the epoch.
"""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from enum import Enum
from typing import Literal, Protocol

from service.store.doors import DoorKey

Kind = Literal["turns", "bots"]
"""Which of the two workers is meant: the one that advances turns, or the one that plays the house bots."""

STATUSES = ("lobby", "playing", "paused", "finished", "abandoned")
"""Every status a game can have, in the order of a game's life."""


CODE_KEPT_MS = 30 * 24 * 3_600_000
"""How long a game is found by its join code."""


class Appended(Enum):
    """What became of an append."""

    RECORDED = "recorded"
    """The entry stands now, and it did not before."""
    REPEATED = "repeated"
    """This very entry stood there already: a command that was retried, and had worked the first time."""
    STALE = "stale"
    """Nothing was written: the game has moved on from `after`, or never was there, or came there in another way."""


@dataclass(frozen=True, slots=True)
class Entry:
    """One command's effect on one game, written whole or not at all.

    `events` is a JSON array of envelopes, `snapshot` the state at `seq` (None keeps the last one), `secrets` what must never
    stand in the log (only with `after == 0`).  `due_turns` and `due_bots` say when the worker must look at the game again;
    None means that it need not.  `phase` is what an open game is counted under, empty once it is over.  `head` is the hash
    of the event at `after`, which must stand in the entry there: a store that was set back may have gone on otherwise.
    `door` is kept with the snapshot: the words that open the game, see `load`; empty for a game that is open to all.
    `is_passing` is whether the rules go on from here at once: who waits for news is better told of what follows.
    Raises ValueError when the numbers, the status or the secrets make no sense.
    """

    game: str
    after: int
    seq: int
    events: bytes
    snapshot: bytes | None
    secrets: Mapping[str, str] | None
    status: str
    created_ms: int
    due_turns: int | None
    due_bots: int | None
    phase: str = ""
    head: str = ""
    door: frozenset[str] = frozenset()
    is_passing: bool = False

    def __post_init__(self) -> None:
        """Refuse what no store could keep its promises for."""
        if not 0 <= self.after < self.seq:
            raise ValueError(f"an entry must move its game forward, not from {self.after} to {self.seq}")
        if self.status not in STATUSES:
            raise ValueError(f"unknown status {self.status!r}")
        if self.snapshot == b"":
            raise ValueError("an empty snapshot cannot be told from none")
        if self.secrets and self.after:
            raise ValueError("secrets are written with the first entry of a game only")


@dataclass(frozen=True, slots=True)
class Loaded:
    """A game as one consistent reading: `snapshot` is the state at `snapshot_seq`, `entries` all that came later.

    `seq` is the seq of the game's last event.  Without a snapshot `snapshot_seq` is 0 and `entries` is the whole log.
    """

    seq: int
    snapshot: bytes | None
    snapshot_seq: int
    entries: tuple[tuple[int, bytes], ...]


class GameStore(Protocol):
    """The games of the service.  Every method may raise `service.store.connect.Unavailable`; then it may be repeated."""

    def append(self, entry: Entry) -> Appended:
        """Write the entry with its snapshot, secrets, due times and place in the lists, if the game still is at `after`."""
        ...

    def load(self, game: str, key: DoorKey | None = None) -> Loaded | None:
        """Return the last snapshot and the entries after it, or None for an unknown game.

        With a key also None for a game whose door it does not open: in the same way, and in the same time.
        """
        ...

    def name_code(self, code: str, game: str) -> None:
        """Have a game found by its join code, for `CODE_KEPT_MS`."""
        ...

    def by_code(self, code: str) -> str | None:
        """Return the id of a game that may have this join code, or None."""
        ...

    def since(self, game: str, after: int) -> tuple[tuple[int, bytes], ...]:
        """Return the entries `(seq, events)` whose seq is above `after`, oldest first; none for an unknown game."""
        ...

    def log(self, game: str) -> Iterator[bytes]:
        """Yield the events of every entry from the first on, read in pages; nothing for an unknown game."""
        ...

    def secrets(self, game: str) -> dict[str, str]:
        """Return the secrets written with the first entry; empty when there are none."""
        ...

    def due(self, kind: Kind, now_ms: int, limit: int) -> list[str]:
        """Return at most `limit` games that the worker must look at by `now_ms`, the longest overdue first."""
        ...

    def postpone(self, kind: Kind, game: str, until_ms: int) -> None:
        """Move a due game to a later time; a game that is not due any more stays so, and nothing is made earlier.

        Since when the game has been due stays known until it moves on, see `late`.
        """
        ...

    def late(self, kind: Kind, before_ms: int, limit: int) -> list[tuple[int, str]]:
        """Return at most `limit` pairs `(since_ms, game)` of games that have been due since `before_ms` at the latest.

        They have not moved on since, however often they were postponed; the longest overdue come first.
        """
        ...

    def phases(self) -> dict[str, int]:
        """Return how many open games there are in each phase."""
        ...

    def listed(self, status: str, before: tuple[int, str] | None, limit: int) -> list[tuple[int, str]]:
        """Return at most `limit` pairs `(created_ms, game)` of a status, newest first, from below `before` on.

        Raises ValueError for an unknown status.
        """
        ...
