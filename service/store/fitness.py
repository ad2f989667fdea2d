"""Whether the servers that an operator chose keep what they are given, as far as they say: told once, in the log.

Only INFO is asked, which managed servers allow where they forbid CONFIG; of what it does not hold nothing is said.
"""

import time
from collections.abc import Callable, Mapping
from threading import Thread
from typing import Any

import structlog
from redis import exceptions as redis_errors

from service.store.connect import blocking_client

AGAIN_S = 5.0
"""How long after an attempt a server that is away is asked again."""

_log = structlog.get_logger(__name__)


def tell_soon(games_url: str, queue_url: str) -> None:
    """Do what `tell` does while this process goes on: nobody waits for a server that is away."""
    Thread(target=tell, args=(games_url, queue_url), name="take5-fitness", daemon=True).start()


def tell(games_url: str, queue_url: str, rest: Callable[[float], object] = time.sleep) -> None:
    """Log a warning for each way in which the servers would lose games, once they are there; `rest` waits some seconds."""
    games = _said(games_url, rest)
    for why in doubts(games):
        _log.warning("store_misconfigured", store="games", why=why)
    if is_same(games, _said(queue_url, rest)):
        _log.warning(
            "store_misconfigured",
            store="queue",
            why="it is the server of the games, and no settings are right for both: TAKE5_QUEUE_URL must name another one",
        )


def doubts(games: Mapping[str, Any]) -> list[str]:
    """Return why a server that says this of itself in INFO would lose games, in words for its operator."""
    found: list[str] = []
    if games.get("aof_enabled") == 0:
        found.append("appendonly is no: games are lost when the server ends; set it to yes")
    policy = games.get("maxmemory_policy", "noeviction")
    if policy != "noeviction":
        found.append(f"maxmemory-policy is {policy}: a full server throws games away; set it to noeviction")
    return found


def is_same(games: Mapping[str, Any], queue: Mapping[str, Any]) -> bool:
    """Return whether what two servers say of themselves comes from one; False when they do not say which they are."""
    return bool(games.get("run_id")) and games["run_id"] == queue.get("run_id")


def _said(url: str, rest: Callable[[float], object]) -> Mapping[str, Any]:
    """Return what a server says of itself when it is there; nothing when it keeps that to itself."""
    with blocking_client(url) as client:
        while True:
            try:
                said: Mapping[str, Any] = client.info()
            except (redis_errors.ConnectionError, redis_errors.TimeoutError):
                rest(AGAIN_S)
            except redis_errors.RedisError:
                return {}
            else:
                return said
