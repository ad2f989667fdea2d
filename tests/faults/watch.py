"""When something happened at which table, as somebody sees it who has a clock of their own."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Sequence
from contextlib import suppress
from itertools import pairwise
from threading import Event, Thread
from types import TracebackType
from typing import Self

from redis import Redis, RedisError

from service.store import keys
from tests.faults.stage import Stage

LOOK_S = 0.05


class Watch:
    """Looks at the tops of the games' logs while the block lasts."""

    def __init__(self, stage: Stage, games: Sequence[str]) -> None:
        self._stage = stage
        self._logs = {game: keys.of_game(game).log for game in games}
        self._moved_ms: dict[str, list[int]] = defaultdict(list)
        self._ended = Event()
        self._thread = Thread(target=self._run)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(
        self, kind: type[BaseException] | None, error: BaseException | None, at: TracebackType | None
    ) -> None:
        self._ended.set()
        self._thread.join()

    def _run(self) -> None:
        seen: dict[str, int] = {}
        is_last = False
        while not is_last:
            in_charge = self._stage.server("games")
            with self._stage.store("games") as client:
                while not is_last and in_charge is self._stage.server("games"):
                    is_last = self._ended.wait(LOOK_S)
                    with suppress(RedisError):
                        self._look(client, seen)

    def _look(self, client: Redis, seen: dict[str, int]) -> None:
        look = client.pipeline(transaction=False)
        for log in self._logs.values():
            look.xlen(log)
        for game, length in zip(self._logs, look.execute(), strict=True):
            if length > seen.get(game, length):
                self._moved_ms[game].append(time.time_ns() // 1_000_000)
            seen[game] = length

    def standstill_s(self, game: str, at_ms: int) -> float | None:
        """The longest that nothing happened at a table from that moment on; None when it was over then."""
        later = [moved_ms for moved_ms in self._moved_ms[game] if moved_ms > at_ms]
        gaps = [after - before for before, after in pairwise([at_ms, *later])]
        return max(gaps) / 1000 if gaps else None
