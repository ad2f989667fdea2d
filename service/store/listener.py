"""The ear of one process at the games server: what is published there wakes whoever waits at the hub."""

import math
import time
from collections.abc import Callable
from threading import Event, Thread
from typing import Any, cast

import structlog
from redis import Redis, exceptions as redis_errors
from redis.client import PubSub

from service.store import keys
from service.store.hub import Hub

_TICK_S = 0.25
_SILENCE_S = 10.0
_PASSING_S = 0.03
_PAUSE_S, _PAUSE_MAX_S = 0.02, 1.0

_log = structlog.get_logger(__name__)


class Listener:
    """The one thread of a process that hears what is published on the games server, and tells the hub.

    Make it after forking.  While the server is away it tries again, at most a second apart; when it is back everybody is
    woken, because hints were lost meanwhile.
    """

    def __init__(
        self,
        hub: Hub,
        client: Redis,
        *,
        on_return: Callable[[], None] = lambda: None,
        silence_s: float = _SILENCE_S,
        passing_s: float = _PASSING_S,
    ) -> None:
        """Listen with a client of `connect.blocking_client`; after `silence_s` of nothing, make sure that it is alive.

        News of what passes is held back for `passing_s`: what follows comes sooner as a rule, and one wake-up does for both.
        `on_return` is called whenever the server is there, or is there again, before anybody is woken.
        """
        self._hub = hub
        self._client = client
        self._on_return = on_return
        self._silence_s = silence_s
        self._passing_s = passing_s
        self._held: dict[str, float] = {}
        self._pause_s = _PAUSE_S
        self._closing = Event()
        self._thread = Thread(target=self._run, name="take5-listener", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop listening, close the hub and return when the thread has ended."""
        self._closing.set()
        self._hub.close()
        self._thread.join()

    def _run(self) -> None:
        while not self._closing.is_set():
            try:
                with self._client.pubsub() as line:  # type: ignore[no-untyped-call]  # the package leaves this one out
                    line.subscribe(keys.WAKE)
                    self._listen(line)
            except redis_errors.RedisError as error:
                _log.warning("listener_disconnected", error=str(error))
                self._rest()
            except Exception as error:  # noqa: BLE001 - without this thread nobody who waits hears of anything again
                _log.error("listener_failed", error=type(error).__name__)
                self._rest()

    def _rest(self) -> None:
        self._closing.wait(self._pause_s)
        self._pause_s = min(2 * self._pause_s, _PAUSE_MAX_S)

    def _listen(self, line: PubSub) -> None:
        heard_s = time.monotonic()
        is_asked = False
        while not self._closing.is_set():
            patience_s = min(_TICK_S, self._silence_s, self._release())
            message = cast("dict[str, Any] | None", line.get_message(timeout=patience_s))
            if message is not None:
                heard_s, is_asked = time.monotonic(), False
                self._tell(message["type"], message["data"])
            elif time.monotonic() - heard_s > self._silence_s:
                if is_asked:
                    raise redis_errors.ConnectionError("the server does not answer")
                line.ping()
                heard_s, is_asked = time.monotonic(), True

    def _release(self) -> float:
        """Tell what was held back for long enough; return in how many seconds there is more of it."""
        now_s = time.monotonic()
        for key in [key for key, until_s in self._held.items() if until_s <= now_s]:
            del self._held[key]
            self._hub.notify(key)
        return min(self._held.values(), default=math.inf) - now_s

    def _tell(self, kind: str, data: bytes) -> None:
        match kind:
            case "message":
                key, _, *passing = data.decode().split()
                if passing:
                    self._held.setdefault(key, time.monotonic() + self._passing_s)
                else:
                    self._held.pop(key, None)
                    self._hub.notify(key)
            case "subscribe":  # from here on every hint arrives; those before may not have
                self._pause_s = _PAUSE_S
                self._on_return()
                self._held.clear()
                self._hub.notify_all()
            case _:
                pass
