"""How long to try again what has failed and may not fail for ever."""

from __future__ import annotations

import random
import time
from collections.abc import Callable
from typing import Final

import httpx

from take5.answers import PASSING, Unreachable, problem_of, retry_after_s

_PAUSES_S: Final = (0.1, 2.0)
"""Between the first and the second attempt, doubled from then on; and the longest pause."""


def bad_address(url: str) -> Unreachable:
    """The error for an address at which no service can be."""
    return Unreachable(f"{url!r} is a bad address; write it as http://127.0.0.1:8000.")


class Patience:
    """The pauses between attempts at one thing, for so many seconds since it last went well."""

    def __init__(
        self, lasts_s: float, sleep: Callable[[float], None], *, knocks_s: float | None = None
    ) -> None:
        """Begin with all the patience there is; with no more than `knocks_s` as long as every connection is refused."""
        self._lasts_s = lasts_s
        self._sleep = sleep
        self.renew()
        self._stop_knocking = None if knocks_s is None else time.monotonic() + knocks_s

    def renew(self) -> None:
        """Begin anew: it went well."""
        self._give_up = time.monotonic() + self._lasts_s
        self._pause_s = _PAUSES_S[0]
        self._stop_knocking = None

    def after_error(self, error: httpx.TransportError, url: str) -> None:
        """Wait after an attempt that got no answer; raises Unreachable when there is no patience left.

        An address that is none gets none.
        """
        give_up = self._give_up
        if not isinstance(error, httpx.ConnectError):
            self._stop_knocking = None
        elif self._stop_knocking is not None:
            give_up = min(give_up, self._stop_knocking)
        if isinstance(error, httpx.UnsupportedProtocol):
            raise bad_address(url) from error
        if time.monotonic() + self._pause_s > give_up:
            raise Unreachable(f"{url} cannot be reached: {error}") from error
        self.pause()

    def pause(self) -> None:
        """Wait before the next attempt."""
        self._sleep(self._pause_s * random.uniform(0.5, 1))  # noqa: S311  # spreads clients out; no secret
        self._pause_s = min(2 * self._pause_s, _PAUSES_S[1])

    def after_answer(self, response: httpx.Response) -> None:
        """Wait as long as an answer says that was no success; raises ApiProblem when that will not change in time."""
        problem, again_s = problem_of(response), retry_after_s(response, self._pause_s)
        passes = problem.status == 429 or problem.code in PASSING
        if not passes or time.monotonic() + again_s > self._give_up:
            raise problem
        self._sleep(again_s)
        self._pause_s = min(2 * self._pause_s, _PAUSES_S[1])
