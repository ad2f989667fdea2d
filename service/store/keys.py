"""The names of everything the service keeps in Redis.

What must change in one step shares a hash tag, so the same scripts run on a cluster: a game's keys carry the tag of one of
16 shards, and so do the sorted sets that list the games of that shard; a player's keys carry the player's own tag.
"""

from dataclasses import dataclass
from hashlib import sha256

from service.store.contract import STATUSES, Kind

SHARDS = "0123456789abcdef"
"""The tags of the 16 shards."""

WAKE = "take5:wake"
"""The channel on which `<key> <seq>` is published after every append; the key is a game's or a player's id.

A third word, `passing`, says that the rules go on from there at once."""


@dataclass(frozen=True, slots=True)
class GameKeys:
    """The keys of one game: its stream, the hash of its snapshot, the hash of its secrets; `nowhere` is never there."""

    log: str
    snapshot: str
    secrets: str
    nowhere: str


def shard(game: str) -> str:
    """Return the tag of the shard that holds a game: the first hexadecimal digit of the SHA-256 of its id."""
    return sha256(game.encode()).hexdigest()[0]


def of_game(game: str) -> GameKeys:
    """Return the keys of a game."""
    stem = f"take5:{{{shard(game)}}}:g:{game}"
    return GameKeys(f"{stem}:log", f"{stem}:snapshot", f"{stem}:secrets", f"{stem}:nowhere")


def join_code(code: str) -> str:
    """Return the string that names the game with a join code, as a hint; of the code it holds a digest."""
    return f"take5:c:{sha256(code.encode()).hexdigest()}"


def due(tag: str, kind: Kind) -> str:
    """Return the sorted set of a shard's games the worker must look at, by the millisecond when."""
    return f"take5:{{{tag}}}:due:{kind}"


def late(tag: str, kind: Kind) -> str:
    """Return the sorted set of a shard's games that were postponed, by the millisecond since when they have been due."""
    return f"take5:{{{tag}}}:late:{kind}"


def phases(tag: str) -> str:
    """Return the hash of a shard's open games with the phase of each."""
    return f"take5:{{{tag}}}:phases"


def games(tag: str, status: str) -> str:
    """Return the sorted set of a shard's games of one status, by the millisecond of their creation."""
    return f"take5:{{{tag}}}:games:{status}"


def indexes(tag: str) -> tuple[str, ...]:
    """Return the sorted sets of a shard for every status, in the order of `STATUSES`."""
    return tuple(games(tag, status) for status in STATUSES)


def player(player_id: str) -> str:
    """Return the hash that holds a player's name, kind, time of creation and good tokens, by digest."""
    return f"take5:{{{player_id}}}:player"


def token(digest: str) -> str:
    """Return the string that names the owner of a token; a hint, see `player`."""
    return f"take5:t:{digest}"


def player_bots(player_id: str) -> str:
    """Return the sorted set of the bots that a player owns, by the millisecond of their creation."""
    return f"take5:{{{player_id}}}:bots"


def player_seating(player_id: str) -> str:
    """Return the string that names who seats a player just now."""
    return f"take5:{{{player_id}}}:seating"


def player_games(player_id: str) -> str:
    """Return the sorted set of every game a player has had a seat in, by the millisecond of its creation."""
    return f"take5:{{{player_id}}}:games"


def player_active(player_id: str) -> str:
    """Return the sorted set of a player's games that have not ended, by the millisecond of their creation."""
    return f"take5:{{{player_id}}}:active"


def player_entered(player_id: str) -> str:
    """Return the sorted set of the games a player entered last, numbered so; the empty member has the last number."""
    return f"take5:{{{player_id}}}:entered"


def player_listed(player_id: str) -> str:
    """Return the sorted set of a player's games that others may find, by the millisecond of their creation."""
    return f"take5:{{{player_id}}}:listed"


def answers(scope: str) -> str:
    """Return the hash of the answers kept for one scope's idempotency keys."""
    return f"take5:{{{scope}}}:answers"


def answers_age(scope: str) -> str:
    """Return the sorted set that orders a scope's answers by age."""
    return f"take5:{{{scope}}}:answers:age"
