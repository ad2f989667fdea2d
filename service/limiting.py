"""Whether a request may be served now: whose it is, what it is counted as, and the headers that say where its client stands.

A client is a token, or the address of whoever has none.  The only request of a kind that a client has in flight is always
served; what it asks for beside that is counted, for the client and for its address.
"""

from __future__ import annotations

import ipaddress
import math
from collections.abc import Callable, Generator, Mapping
from contextlib import AbstractContextManager, contextmanager
from dataclasses import dataclass
from functools import cache
from hashlib import sha256
from typing import Any, Final, Literal

from flask import Response, current_app, g, request

from service.apidoc import noted
from service.limiter import Limiter, Standing
from service.problems import Problem
from service.services import current
from service.store.quotas import Bucket, Rate

CODES: Final[dict[Bucket, str]] = {
    "reading": "reading_limited",
    "laying": "laying_limited",
    "writing": "writing_limited",
    "creating": "creating_limited",
    "streams": "streams_limited",
    "exports": "exports_limited",
}
"""The code that tells a client that it asked too often for something."""

Kept = Literal["new_players", "new_games", "changes"]
"""What is kept for ever, so that all of it is counted, whatever else is in flight."""

_KEPT: Final[dict[Kept, tuple[str, str, int]]] = {
    "new_players": ("too_many_new_players", "players_per_day", 86_400),
    "new_games": ("too_many_new_games", "games_per_day", 86_400),
    "changes": ("too_many_changes", "changes_per_hour", 3600),
}
"""Of each the code, the setting that says how many, and in how many seconds."""

WAITING: Final = "waiting"
"""The lane of a client's held requests."""

_SCHEME: Final = "bearer "
_METHODS: Final[Mapping[str, Bucket]] = {"GET": "reading", "HEAD": "reading"}


@dataclass(slots=True)
class _Lane:
    """Where the current request runs, and where `of`, its client or its address, stands."""

    limiter: Limiter
    bucket: Bucket
    client: str
    is_left: bool = False
    standing: Standing | None = None
    of: str = ""


def bucket_of(notes: Mapping[str, Any], method: str) -> Bucket | None:
    """Return what requests of a view are counted as, by what its decorators noted; None for those that are not."""
    if "bucket" in notes:
        noted_bucket: Bucket | None = notes["bucket"]
        return noted_bucket
    return _METHODS.get(method, "creating" if notes.get("repeatable") else "writing")


def begin() -> None:
    """Let the current request in; raises Problem with a code of `CODES` when its client asks too much at the same time."""
    if request.method == "OPTIONS":
        return
    bucket, knows_tokens = _kind(request.endpoint, request.method)
    if bucket is not None:
        _take(bucket, (_token() if knows_tokens else None) or address())


def count_as(bucket: Bucket) -> None:
    """Count the current request as something else than its route is; raises Problem as `begin` does."""
    lane: _Lane | None = g.get("lane")
    if lane is not None:
        _leave(lane)
        _take(bucket, lane.client)


def count_as_stranger() -> None:
    """Count the current request, whose token is good for nothing, by its address; raises Problem as `begin` does."""
    lane: _Lane | None = g.get("lane")
    if lane is not None and lane.client != (stranger := address()):
        _leave(lane)
        _take(lane.bucket, stranger)


@contextmanager
def keeping(kind: Kept, client: str | None = None) -> Generator[None]:
    """Count what the block has kept, for a client or else for the address, unless it raises something.

    Raises Problem with the code of its kind when that would be too much.
    """
    code, setting, window_s = _KEPT[kind]
    services, client = current(), client or address()
    rate = Rate(getattr(services.config, setting), window_s)
    standing = services.limiter.standing(kind, client, rate)
    if standing.left == 0:
        raise Problem(code, retry_after_ms=math.ceil(1000 * standing.more_in_s))
    yield
    services.limiter.count(kind, client, rate)


def changing(player_id: str, game_id: str) -> AbstractContextManager[None]:
    """Count the block as a change that a player makes in a game beside its course; see `keeping`."""
    return keeping("changes", f"{player_id}/{game_id}")


def hold() -> Callable[[], None]:
    """Note that the current request waits, so its client has it in flight no more; return what notes the end of that.

    Raises Problem `waiting_limited` when the client has too many that wait.
    """
    services, lane = current(), g.get("lane")
    client = lane.client if lane is not None else address()
    most = services.config.max_waiting_each * (1 if _is_token(client) else services.config.address_factor)
    if services.limiter.enter(WAITING, client, most) is None:
        raise Problem("waiting_limited", retry_after_ms=1000)
    if lane is not None:
        _leave(lane)
    return lambda: services.limiter.leave(WAITING, client)


def end(response: Response) -> Response:
    """Return `response` with where its client stands; from then on the request is not in flight."""
    lane: _Lane | None = g.get("lane")
    if lane is None:
        return response
    _leave(lane)
    rate = lane.limiter.rates[lane.bucket]
    if rate is None:
        return response
    of = lane.of or lane.client
    standing = lane.standing or lane.limiter.standing(lane.bucket, of, _rate_of(of, rate))
    name = lane.bucket if _is_token(of) else f"{lane.bucket}-address"
    response.headers["RateLimit-Policy"] = _policy(lane.bucket, rate, current().config.address_factor)
    response.headers["RateLimit"] = f'"{name}";r={standing.left};t={math.ceil(standing.more_in_s)}'
    return response


def give_up(_: BaseException | None = None) -> None:
    """Note that the current request is over, however it ended."""
    lane: _Lane | None = g.get("lane")
    if lane is not None:
        _leave(lane)


def _take(bucket: Bucket, client: str) -> None:
    limiter = current().limiter
    g.lane = lane = _Lane(limiter, bucket, client)
    rate = limiter.rates[bucket]
    if limiter.enter(bucket, client) == 1 or rate is None:
        return
    for each in dict.fromkeys((client, address())):
        standing = limiter.count(bucket, each, _rate_of(each, rate))
        if lane.standing is None or standing.is_refused:
            lane.standing, lane.of = standing, each
        if standing.is_refused:
            raise Problem(CODES[bucket], retry_after_ms=math.ceil(1000 * standing.more_in_s))


def _leave(lane: _Lane) -> None:
    if not lane.is_left:
        lane.is_left = True
        lane.limiter.leave(lane.bucket, lane.client)


def _rate_of(client: str, rate: Rate) -> Rate:
    return rate if _is_token(client) else rate.times(current().config.address_factor)


def _is_token(client: str) -> bool:
    return client.startswith("t/")


@cache
def _policy(bucket: Bucket, rate: Rate, factor: int) -> str:
    every = ((bucket, rate), (f"{bucket}-address", rate.times(factor)))
    return ", ".join(f'"{name}";q={each.requests};w={each.window_s}' for name, each in every)


def _kind(endpoint: str | None, method: str) -> tuple[Bucket | None, bool]:
    """Return what a request is counted as, and whether its route knows tokens; what leads nowhere counts as reading."""
    if endpoint is None:
        return "reading", False
    return _kind_of_view(current_app.view_functions[endpoint], method)


@cache
def _kind_of_view(view: Callable[..., Any], method: str) -> tuple[Bucket | None, bool]:
    notes = noted(view)
    return bucket_of(notes, method), "access" in notes


def _token() -> str | None:
    """Return the client that a token stands for, whether or not it is good; None without one."""
    header: str = request.environ.get("HTTP_AUTHORIZATION", "")
    if header[: len(_SCHEME)].lower() != _SCHEME:
        return None
    return "t/" + sha256(header[len(_SCHEME) :].encode()).hexdigest()[:32]


def address() -> str:
    """Return the client that the address stands for; of IPv6 the network, for there everybody has many addresses.

    Some proxies hand on the port as well, which would make each connection a client.
    """
    text = request.remote_addr or ""
    if text.startswith("["):
        text = text[1:].partition("]")[0]
    elif text.count(":") == 1:
        text = text.partition(":")[0]
    try:
        six = ipaddress.IPv6Address(text) if ":" in text else None
    except ValueError:
        six = None
    if six is None or six.ipv4_mapped:
        return f"a/{six.ipv4_mapped if six else text}"
    return f"a/{ipaddress.IPv6Network((int(six) >> 64 << 64, 64))}"
