"""The settings of the HTTP service, read once from the environment and frozen."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, fields
from typing import Final
from urllib.parse import urlsplit

from service.likely import meant
from service.store.quotas import BUCKETS, Bucket, Rate, parse_rate

_PREFIX: Final = "TAKE5_"
_OTHERS: Final = frozenset(
    {
        "TAKE5_CODE",
        "TAKE5_DATA",
        "TAKE5_HOST",
        "TAKE5_METRICS_HOST",
        "TAKE5_METRICS_PORT",
        "TAKE5_PORT",
        "TAKE5_TOKEN",
        "TAKE5_URL",
    }
)
"""Variables of the command line and of clients: they may stand in the same environment, and mean nothing here."""


class ConfigError(ValueError):
    """A setting is unknown or makes no sense; the message names the variable."""


@dataclass(frozen=True, slots=True)
class Config:
    """Every setting of the HTTP service; field `x_y` is the environment variable `TAKE5_X_Y`.

    Durations end in `_s` (seconds), sizes in `_bytes`.
    """

    redis_url: str = field(default="", repr=False)
    """Where the games are kept; empty means that the service starts its own store."""
    queue_url: str = field(default="", repr=False)
    """Where the jobs wait, on a server of its own; empty means that the service starts its own queue."""
    public_url: str = ""
    """What stands before the paths in links, as in `https://play.example`; empty makes links relative to this host."""
    threads: int = 3072
    """How many requests one process answers at the same time, streams and waiting ones included; each is made on demand."""
    max_waiting: int = 512
    """How many of them may be waiting for news (`?wait`)."""
    max_streams: int = 2048
    """How many of them may be streams; with those that wait fewer than `threads`, so that moves always get through."""
    max_streams_per_token: int = 10
    """How many streams the holder of one token may have at one process."""
    max_streams_per_address: int = 100
    """How many streams may lead from one process to one address."""
    stream_life_s: int = 3600
    """How old a stream gets before it ends and its client goes on with another one."""
    wait_cap_s: int = 25
    """The longest that a request is held."""
    body_limit_bytes: int = 64 * 1024
    """The largest request body."""
    max_waiting_each: int = 32
    """How many of those one token may have waiting; without one the address, `address_factor` times as many."""
    rate_reading: str = "600 per 10 seconds"
    """How much one token may read, counting only what it asks for while it is being answered already; `none`: no limit."""
    rate_laying: str = "600 per 10 seconds"
    """The same for answers to decisions, which nothing else takes away from."""
    rate_writing: str = "200 per 10 seconds"
    """The same for other changes."""
    rate_creating: str = "60 per 10 seconds"
    """The same for what makes something new: players, tokens, games, seats taken, votes."""
    rate_streams: str = "60 per 10 seconds"
    """The same for opening streams."""
    rate_exports: str = "60 per 10 seconds"
    """The same for what takes long: downloads and verifications."""
    address_factor: int = 10
    """How many times that an address may have, whatever tokens it uses."""
    trusted_proxies: int = 0
    """How many proxies stand before the service and say in `X-Forwarded-For` whom they speak for."""
    games_per_player: int = 100
    """In how many games that are not over a player may sit."""
    games_per_day: int = 5000
    """How many games a player may create in a day."""
    players_per_day: int = 20_000
    """How many players may be created from one address in a day."""
    changes_per_hour: int = 200
    """How often a player may change a game beside its course in an hour: its lobby, a laid card, a plan, being away,
    votes."""
    lag_limit_s: int = 5
    """How long a game may be overdue before `/readyz` says that the workers are behind."""
    grace_ms: int = 250
    """How long an answer is waited for beyond its deadline, since it may have been sent in time."""
    metrics_token: str = field(default="", repr=False)
    """Who knows it may read `/metrics`; without one nobody may."""
    log_level: str = "info"
    """debug, info, warning or error."""

    def __post_init__(self) -> None:
        """Refuse settings under which the service could not keep its promises."""
        for name, low, high in _BOUNDS:
            if not low <= getattr(self, name) <= high:
                raise ConfigError(f"{_variable(name)} must be between {low} and {high}")
        if self.max_waiting + self.max_streams >= self.threads:
            raise ConfigError(
                f"{_variable('max_waiting')} and {_variable('max_streams')} together must be below {_variable('threads')}"
            )
        for bucket in BUCKETS:
            self.rate(bucket)
        if self.log_level not in _LOG_LEVELS:
            raise ConfigError(f"{_variable('log_level')} must be one of {', '.join(_LOG_LEVELS)}")
        for name in ("redis_url", "queue_url"):
            _require_scheme(name, getattr(self, name), ("redis", "rediss", "unix"))
        _require_scheme("public_url", self.public_url, ("http", "https"))
        if self.public_url.endswith("/"):
            raise ConfigError(f"{_variable('public_url')} must not end with a slash")

    def rate(self, bucket: Bucket) -> Rate | None:
        """Return how often a token may ask for what is counted in a bucket; None where it is not limited."""
        name = f"rate_{bucket}"
        try:
            return parse_rate(getattr(self, name))
        except ValueError as error:
            raise ConfigError(f'{_variable(name)} must be like "600 per 10 seconds", or "none"') from error

    @property
    def store_connections(self) -> int:
        """How many connections to the games server one process needs: streams take turns, everything else has its own."""
        return self.threads - self.max_streams


_BOUNDS: Final = (
    ("threads", 2, 10_000),
    ("max_waiting", 1, 10_000),
    ("max_waiting_each", 1, 10_000),
    ("address_factor", 1, 1000),
    ("trusted_proxies", 0, 10),
    ("games_per_player", 1, 1_000_000),
    ("max_streams", 0, 10_000),
    ("max_streams_per_token", 0, 10_000),
    ("max_streams_per_address", 0, 10_000),
    ("stream_life_s", 0, 24 * 3600),
    ("games_per_day", 1, 100_000_000),
    ("players_per_day", 1, 100_000_000),
    ("changes_per_hour", 1, 100_000_000),
    ("wait_cap_s", 0, 25),
    ("body_limit_bytes", 1024, 16 * 1024 * 1024),
    ("lag_limit_s", 1, 3600),
    ("grace_ms", 0, 10_000),
)
_LOG_LEVELS: Final = ("debug", "info", "warning", "error")


def from_environment(environ: Mapping[str, str]) -> Config:
    """Return the settings that stand in `environ`, and the defaults for what does not.

    Raises ConfigError for a `TAKE5_` variable that nobody knows (a typing error would otherwise go unseen) and for a
    value that cannot be read or lies outside its bounds.
    """
    read: dict[str, Callable[[str], str | int]] = {
        _variable(field.name): int if isinstance(field.default, int) else str for field in fields(Config)
    }
    unknown = sorted(
        name for name in environ if name.startswith(_PREFIX) and name not in read.keys() | _OTHERS
    )
    if unknown:
        known = [name.removeprefix(_PREFIX) for name in read.keys() | _OTHERS]
        likely = meant(unknown[0].removeprefix(_PREFIX), known)
        hint = f"did you mean {_PREFIX}{likely}?" if likely else f"the settings are {', '.join(sorted(read))}"
        raise ConfigError(f"unknown setting {unknown[0]}; {hint}")
    given: dict[str, str | int] = {}
    for variable in read.keys() & environ.keys():
        try:
            given[variable.removeprefix(_PREFIX).lower()] = read[variable](environ[variable])
        except ValueError as error:
            raise ConfigError(f"{variable} must be a whole number, not {environ[variable]!r}") from error
    return Config(**given)  # type: ignore[arg-type]  # each value was read by the type of its field


def _variable(field: str) -> str:
    return _PREFIX + field.upper()


def without_secrets(url: str) -> str:
    """Return the address of a store as it may be shown: without user, password and parameters."""
    parts = urlsplit(url)
    return url and f"{parts.scheme}://{parts.netloc.rpartition('@')[2]}{parts.path}"


def _require_scheme(name: str, url: str, schemes: tuple[str, ...]) -> None:
    """Refuse a URL that cannot be read, without a word of it: a password may stand anywhere in it."""
    if url and url.partition("://")[0] not in schemes:
        raise ConfigError(
            f"{_variable(name)} must start with {' or '.join(f'{scheme}://' for scheme in schemes)}"
        )
    try:
        urlsplit(url).port  # noqa: B018  # reading it is the check
    except ValueError:
        detail = "cannot be read; in a password, / : @ ? # and % must be written as %2F %3A %40 %3F %23 %25"
        raise ConfigError(f"{_variable(name)} {detail}") from None
