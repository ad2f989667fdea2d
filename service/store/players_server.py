"""Players on Redis or Valkey: one hash a player, tokens included, beside a hint from each token to its owner.

Only the player's own hash says which tokens are good.  The hint is written before and removed after, so a crash leaves
at worst a hint to a token that is not there; and since an owner never changes, a process may remember it, which makes
finding a player one command.
"""

from contextlib import suppress
from typing import cast

import orjson
from redis import Redis

from service.store import keys, newest
from service.store.connect import Unavailable, reaching
from service.store.players import (
    TOKENS_MAX,
    LastToken,
    Player,
    PlayerKind,
    Token,
    TooManyGames,
    TooManyTokens,
    digest,
    digest_id,
    minute,
)

_REMEMBERED_MAX = 100_000
_LAST = -1
_FIELDS = ["name", "kind", "created_ms"]
_MARK = "token:"  # before a token's digest, in the same hash
_USED = "used:"  # the same for its last use, if there was any

_CREATE = """#!lua
if redis.call('EXISTS', KEYS[1]) == 0 then
  redis.call('HSET', KEYS[1], 'name', ARGV[1], 'kind', ARGV[2], 'created_ms', ARGV[3])
end
"""

_RENAME = """#!lua
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HSET', KEYS[1], 'name', ARGV[1]) end
"""

_ISSUE = """#!lua
local player, mark, token, record, most = KEYS[1], ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local there = redis.call('HGET', player, token)
if there then return there end
local held = 0
for _, field in ipairs(redis.call('HKEYS', player)) do
  if string.sub(field, 1, #mark) == mark then held = held + 1 end
end
if held >= most then return '' end
redis.call('HSET', player, token, record)
return record
"""

_REVOKE = """#!lua
local player, mark, token, used, wake, id = KEYS[1], unpack(ARGV)
if redis.call('HEXISTS', player, token) == 0 then return 0 end
local others = 0
for _, field in ipairs(redis.call('HKEYS', player)) do
  if string.sub(field, 1, #mark) == mark and field ~= token then others = others + 1 end
end
if others == 0 then return -1 end
redis.call('HDEL', player, token, used)
redis.call('PUBLISH', wake, id .. ' 0')
return 1
"""

_USE = """#!lua
local player, token, used, minute = KEYS[1], unpack(ARGV)
if redis.call('HEXISTS', player, token) == 1 and (tonumber(redis.call('HGET', player, used)) or 0) < tonumber(minute) then
  redis.call('HSET', player, used, minute)
end
"""

_ADD_GAME = """#!lua
local games, active, game, created_ms, most = KEYS[1], KEYS[2], ARGV[1], ARGV[2], tonumber(ARGV[3])
if most >= 0 and redis.call('ZCARD', active) >= most and not redis.call('ZSCORE', active, game) then return 0 end
redis.call('ZADD', games, created_ms, game)
redis.call('ZADD', active, created_ms, game)
redis.call('PUBLISH', ARGV[4], ARGV[5])
return 1
"""


class RedisPlayers:
    """`Players` on a server that several processes share.  It owns no connection: the client does."""

    def __init__(self, client: Redis) -> None:
        """Use a client of `connect.games_client`."""
        self._client = client
        self._create = client.register_script(_CREATE)
        self._rename = client.register_script(_RENAME)
        self._issue = client.register_script(_ISSUE)
        self._revoke = client.register_script(_REVOKE)
        self._add_game = client.register_script(_ADD_GAME)
        self._use = client.register_script(_USE)
        self._owners: dict[str, str] = {}

    @reaching()
    def create(self, player: Player, token: str, token_name: str) -> None:
        """Keep a player with a first token; see `Players.create`."""
        self._create(keys=[keys.player(player.id)], args=[player.name, player.kind, player.created_ms])
        self.issue(player.id, token, token_name, player.created_ms)

    @reaching()
    def get(self, player_id: str) -> Player | None:
        """Return a player; see `Players.get`."""
        fields = self._client.hmget(keys.player(player_id), _FIELDS)
        return _player(player_id, cast("list[bytes | None]", fields))

    @reaching()
    def rename(self, player_id: str, name: str) -> Player | None:
        """Change a player's name; see `Players.rename`."""
        self._rename(keys=[keys.player(player_id)], args=[name])
        return self.get(player_id)

    @reaching()
    def find(self, token: str, now_ms: int | None = None) -> Player | None:
        """Return whose token this is; see `Players.find`."""
        of_token = digest(token)
        owner = self._owner(of_token)
        if owner is None:
            return None
        found = self._client.hmget(keys.player(owner), [_MARK + of_token, _USED + of_token, *_FIELDS])
        record, used_ms, *fields = cast("list[bytes | None]", found)
        if not record:
            return None
        if now_ms is not None and int(used_ms or 0) < minute(now_ms):
            with suppress(Unavailable):  # a full store notes nothing, and must not keep anybody out for that
                self._note_use(owner, of_token, minute(now_ms))
        return _player(owner, fields)

    @reaching()
    def _note_use(self, owner: str, of_token: str, used_ms: int) -> None:
        self._use(keys=[keys.player(owner)], args=[_MARK + of_token, _USED + of_token, used_ms])

    def _owner(self, of_token: str) -> str | None:
        owner = self._owners.get(of_token)
        if owner is None:
            hint = cast("bytes | None", self._client.get(keys.token(of_token)))
            if hint is None:
                return None
            if len(self._owners) >= _REMEMBERED_MAX:
                self._owners.clear()
            owner = self._owners[of_token] = hint.decode()
        return owner

    @reaching()
    def issue(self, player_id: str, token: str, name: str, created_ms: int) -> Token:
        """Make one more token good; see `Players.issue`."""
        of_token = digest(token)
        self._client.set(keys.token(of_token), player_id)
        record = orjson.dumps({"name": name, "created_ms": created_ms})
        kept = self._issue(keys=[keys.player(player_id)], args=[_MARK, _MARK + of_token, record, TOKENS_MAX])
        if not kept:
            self._client.delete(keys.token(of_token))
            raise TooManyTokens
        return _token(of_token, cast("bytes", kept), None)

    @reaching()
    def tokens(self, player_id: str) -> list[Token]:
        """Return a player's good tokens; see `Players.tokens`."""
        fields = self._fields(player_id)
        found = [
            _token(of_token, record, fields.get(_USED + of_token))
            for of_token, record in _records(fields).items()
        ]
        return sorted(found, key=lambda token: (token.created_ms, token.id))

    @reaching()
    def revoke(self, player_id: str, token_id: str) -> bool:
        """End a player's token; see `Players.revoke`."""
        for of_token in _records(self._fields(player_id)):
            if digest_id(of_token) == token_id:
                revoked = self._revoke(
                    keys=[keys.player(player_id)],
                    args=[_MARK, _MARK + of_token, _USED + of_token, keys.WAKE, player_id],
                )
                if revoked == _LAST:
                    raise LastToken
                self._client.delete(keys.token(of_token))
                return bool(revoked)
        return False

    def _fields(self, player_id: str) -> dict[str, bytes]:
        fields = cast("dict[bytes, bytes]", self._client.hgetall(keys.player(player_id)))
        return {name.decode(): kept for name, kept in fields.items()}

    @reaching()
    def add_game(self, player_id: str, game: str, created_ms: int, most: int | None = None) -> None:
        """Note that a player takes a seat; see `Players.add_game`."""
        indexes = [keys.player_games(player_id), keys.player_active(player_id)]
        told = f"{player_id} {created_ms}"
        bound = -1 if most is None else most
        if not self._add_game(keys=indexes, args=[game, created_ms, bound, keys.WAKE, told]):
            raise TooManyGames

    @reaching()
    def end_game(self, player_id: str, game: str) -> None:
        """Note that a game is over for a player; see `Players.end_game`."""
        self._client.zrem(keys.player_active(player_id), game)

    @reaching()
    def drop_game(self, player_id: str, game: str) -> None:
        """Forget that a player had a seat; see `Players.drop_game`."""
        pipe = self._client.pipeline()
        pipe.zrem(keys.player_games(player_id), game)
        pipe.zrem(keys.player_active(player_id), game)
        pipe.execute()

    @reaching()
    def games_of(
        self, player_id: str, limit: int, before: tuple[int, str] | None = None, *, active: bool = False
    ) -> list[tuple[int, str]]:
        """Return a player's games, newest first; see `Players.games_of`."""
        index = keys.player_active(player_id) if active else keys.player_games(player_id)
        pipe = self._client.pipeline(transaction=False)
        newest.ask(pipe, index, before, limit)
        return newest.merged(pipe.execute(), before, limit)


def _player(player_id: str, fields: list[bytes | None]) -> Player | None:
    name, kind, created_ms = fields
    if name is None or kind is None or created_ms is None:
        return None
    return Player(player_id, name.decode(), cast("PlayerKind", kind.decode()), int(created_ms))


def _records(fields: dict[str, bytes]) -> dict[str, bytes]:
    """Return the records of a player's good tokens by their digests."""
    return {name.removeprefix(_MARK): kept for name, kept in fields.items() if name.startswith(_MARK)}


def _token(of_token: str, record: bytes, used_ms: bytes | None) -> Token:
    return Token(id=digest_id(of_token), used_ms=int(used_ms) if used_ms else None, **orjson.loads(record))
