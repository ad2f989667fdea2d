"""Games as they stand in a store, folded from their logs, and what is read of them beside.

A process remembers the games of which it has read lately, and asks the store only for what came since: so a game is read
whole once, and is always as new as the store has it.
"""

from __future__ import annotations

from hmac import compare_digest
from threading import Lock
from typing import Final

from engine.log import Envelope, Live, fold_log
from engine.wire import MalformedError
from service.store import codec
from service.store.contract import GameStore, Loaded
from service.store.doors import LOBBY, DoorKey, is_for
from service.store.recent import Recent

CACHED: Final = 4096
"""How many games a process remembers at most."""


class NoSuchGame(LookupError):
    """There is no game of that id."""


class Games:
    """Reads games from a store; safe to share between threads."""

    def __init__(self, store: GameStore) -> None:
        """Begin with nothing remembered."""
        self._store = store
        self._guard = Lock()
        self._lives: Recent[Live] = Recent(CACHED)

    def live(self, game: str) -> Live:
        """The game as it stands now; raises NoSuchGame and Unavailable."""
        known = self._lives.get(game)
        if known is None:
            return self._load(game)
        here, *later = self._store.since(game, known.game.seq - 1) or [(0, b"")]
        if known.head.encode() not in here[1]:
            # The store was set back, and others may have gone on from there.
            self._lives.drop(game)
            return self._load(game)
        if not later:
            return known
        live = fold_log(codec.read_events(events for _, events in later), known)
        self._remember(live)
        return live

    def entered(self, game: str, player: str | None, code: str = "", *, joining: bool = False) -> Live:
        """The game as it stands, for a player who may see it, or for somebody unknown where everybody may.

        A join `code` opens a private game, too; and whoever wants to join one without spectators may see its lobby. For
        anybody else it raises NoSuchGame, in just the way and the time it takes when there is none; and Unavailable.
        """
        known = self._lives.get(game)
        if known and is_for(known.game, player):
            live = self.live(game)
            if is_for(live.game, player):
                return live
        words = {player or "", LOBBY} if joining else {player or ""}
        return self._read(game, self._store.load(game, DoorKey(frozenset(words), code)))

    def found(self, code: str, player: str | None) -> Live:
        """The game in its lobby that has this join code; raises NoSuchGame and Unavailable."""
        game = self._store.by_code(code) or ""
        live = self.entered(game, player, code, joining=True)
        if live.game.status != "lobby" or not compare_digest(self.secrets(game)["join_code"], code):
            raise NoSuchGame(code)
        return live

    def log(self, game: str, after: int = 0) -> list[Envelope]:
        """The envelopes with seq above `after`, all parts open: `engine.log.redact` them for whoever reads them.

        Raises NoSuchGame and Unavailable.
        """
        if after:
            envelopes = codec.read_events(events for _, events in self._store.since(game, after))
            return [envelope for envelope in envelopes if envelope["seq"] > after]
        envelopes = codec.read_events(self._store.log(game))
        if not envelopes:
            raise NoSuchGame(game)
        return envelopes

    def entries(self, game: str, after: int) -> list[list[Envelope]]:
        """The envelopes of each command whose last event has a seq above `after`, all parts open; raises Unavailable."""
        return [codec.read_events([events]) for _, events in self._store.since(game, after)]

    def secrets(self, game: str) -> dict[str, str]:
        """The master secret in hexadecimal as `master`, and `join_code`; raises NoSuchGame and Unavailable."""
        secrets = self._store.secrets(game)
        if not secrets:
            raise NoSuchGame(game)
        return secrets

    def _newest(self, seen: Live) -> Live:
        """The game as it was seen, or as this process has heard of it since."""
        known = self._lives.get(seen.game.id)
        return known if known and known.game.seq > seen.game.seq else seen

    def _load(self, game: str) -> Live:
        return self._read(game, self._store.load(game))

    def _read(self, game: str, loaded: Loaded | None) -> Live:
        if loaded is None:
            raise NoSuchGame(game)
        try:
            live = codec.read_snapshot(loaded.snapshot) if loaded.snapshot else None
            envelopes = codec.read_events(events for _, events in loaded.entries)
        except MalformedError:
            # Another version of the service wrote the snapshot; it is a cache, and the log is there.
            live, envelopes = None, self.log(game)
        live = fold_log(envelopes, live) if envelopes or live is None else live
        self._remember(live)
        return live

    def _remember(self, live: Live) -> None:
        with self._guard:
            known = self._lives.get(live.game.id)
            if known is None or known.game.seq <= live.game.seq:
                self._lives.put(live.game.id, "", live)

    def forget(self) -> None:
        """Read every game anew: the store was away, and may have come back as it was earlier, or be another."""
        self._lives.clear()
