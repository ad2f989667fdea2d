"""Reading sorted sets newest first, page by page, over several sets at once."""

import heapq
from typing import Any

from redis.client import Pipeline

Pair = tuple[int, str]
"""A score and its member: the millisecond of creation and an id.  Lists are ordered by both, downwards."""


def ask(pipe: Pipeline, index: str, before: Pair | None, limit: int) -> None:
    """Put the commands on `pipe` that fetch what `merged` needs of one set, from below `before` on."""
    older = "+inf" if before is None else f"({before[0]}"
    pipe.zrange(index, older, "-inf", desc=True, byscore=True, offset=0, num=limit, withscores=True)
    if (
        before is not None
    ):  # the few that share its millisecond are ordered by id, which only `merged` can cut
        pipe.zrange(index, before[0], before[0], byscore=True, withscores=True)


def merged(replies: list[Any], before: Pair | None, limit: int) -> list[Pair]:
    """Return the newest `limit` pairs below `before` out of all replies to `ask`."""
    found = (pair for reply in replies for pair in scored(reply))
    return heapq.nlargest(limit, (pair for pair in found if before is None or pair < before))


def scored(reply: list[Any]) -> list[Pair]:
    """Return a reply of members with scores as pairs."""
    return [(int(score), member.decode()) for member, score in reply]
