"""What is told over a stream, message by message, however often the connection breaks."""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any, Final

import httpx

from take5.patience import Patience

_SILENCE_S: Final = 25.0
"""The service says something at least every ten seconds; after so long the connection is taken for dead."""


@dataclass(frozen=True, slots=True)
class Message:
    """One thing that was told: go on after it with `id`; `event` is its kind, `data` what there is to know."""

    id: str
    event: str
    data: dict[str, Any]


def follow(
    http: httpx.Client, url: str, after: str | None, patience: Patience, *, ends: bool
) -> Iterator[Message]:
    """Yield what is told at `url`, each message once and in order, and come back by the last `id` when the stream breaks.

    With `ends` the last one is the `end`. Raises ApiProblem and Unreachable as `patience` does.
    """
    while True:
        query = {"follow": "true"} if after is None else {"follow": "true", "after": after}
        headers = {"Accept": "application/x-ndjson"}
        try:
            with http.stream("GET", url, params=query, headers=headers, timeout=_SILENCE_S) as response:
                if response.status_code == httpx.codes.NO_CONTENT:
                    return
                if not response.is_success:
                    response.read()
                    patience.after_answer(response)
                    continue
                before = after
                for line in _lines(response):
                    patience.renew()
                    if line:
                        message = Message(**json.loads(line))
                        after = message.id
                        yield message
                        if ends and message.event == "end":
                            return
                if after == before:
                    patience.pause()
        except httpx.TransportError as error:
            patience.after_error(error, url)


def _lines(response: httpx.Response) -> Iterator[bytes]:
    """Yield the whole lines of an answer as they arrive; what was cut off is told again by the next one."""
    rest = b""
    for chunk in response.iter_bytes():
        *lines, rest = (rest + chunk).split(b"\n")
        yield from lines
