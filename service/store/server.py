"""The game store on Redis or Valkey: every change is one script, so it happens whole or not at all.

The log is a stream with the id `<seq>-0` for each entry, and its top is the only version a game has.  The scripts keep to
commands of Redis 7.0 and name all their keys, so they run on one server as on a cluster.
"""

import heapq
from collections.abc import Iterator
from typing import Any, cast

from redis import Redis

from service.store import keys, newest
from service.store.connect import reaching
from service.store.contract import STATUSES, Appended, Entry, Kind, Loaded

PAGE = 100
"""How many entries one reading of a whole log fetches at once."""

# XADD comes first among the writes: it is what a full memory refuses, and then nothing has been written.
_APPEND = """#!lua
local log, snapshot, secrets, turns, bots = unpack(KEYS, 1, 5)
local game, after, seq, events, state, status, created, due_turns, due_bots, wake = unpack(ARGV, 1, 10)
local id = seq .. '-0'
local function mark(set, score)
  if score ~= '' then redis.call('ZADD', set, score, game) else redis.call('ZREM', set, game) end
end
local top = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
if (top and top[1] or '0-0') ~= after .. '-0' then
  local there = redis.call('XRANGE', log, id, id)[1]
  return (there and there[2][2] == events) and 'repeated' or 'stale'
end
redis.call('XADD', log, id, 'events', events)
if state ~= '' then redis.call('HSET', snapshot, 'seq', seq, 'state', state) end
if #ARGV > 10 then redis.call('HSET', secrets, unpack(ARGV, 11)) end
for place = 6, #KEYS do
  mark(KEYS[place], place - 5 == tonumber(status) and created or '')
end
mark(turns, due_turns)
mark(bots, due_bots)
redis.call('PUBLISH', wake, game .. ' ' .. seq)
return 'recorded'
"""

_LOAD = """#!lua flags=no-writes
local held = redis.call('HMGET', KEYS[2], 'seq', 'state')
local later = held[1] and '(' .. held[1] .. '-0' or '-'
return {held[1] or '0', held[2] or '', redis.call('XRANGE', KEYS[1], later, '+')}
"""


class RedisStore:
    """A `GameStore` on a server that several processes share.  It owns no connection: the client does."""

    def __init__(self, client: Redis) -> None:
        """Use a client of `connect.games_client`; scripts are sent again by themselves when the server forgot them."""
        self._client = client
        self._append = client.register_script(_APPEND)
        self._load = client.register_script(_LOAD)

    @reaching()
    def append(self, entry: Entry) -> Appended:
        """Write the entry if its game still is at `after`; see `GameStore.append`."""
        of_game = keys.of_game(entry.game)
        tag = keys.shard(entry.game)
        due = (keys.due(tag, "turns"), keys.due(tag, "bots"))
        reply = self._append(
            keys=[of_game.log, of_game.snapshot, of_game.secrets, *due, *keys.indexes(tag)],
            args=[
                entry.game,
                entry.after,
                entry.seq,
                entry.events,
                entry.snapshot or b"",
                STATUSES.index(entry.status) + 1,
                entry.created_ms,
                "" if entry.due_turns is None else entry.due_turns,
                "" if entry.due_bots is None else entry.due_bots,
                keys.WAKE,
                *(part for secret in (entry.secrets or {}).items() for part in secret),
            ],
        )
        return Appended(cast(bytes, reply).decode())

    @reaching()
    def load(self, game: str) -> Loaded | None:
        """Return the last snapshot and the entries after it; see `GameStore.load`."""
        of_game = keys.of_game(game)
        reply = self._load(keys=[of_game.log, of_game.snapshot])
        snapshot_seq, state, later = cast(tuple[bytes, bytes, list[Any]], reply)
        entries = tuple((_seq(at), fields[1]) for at, fields in later)
        seq = entries[-1][0] if entries else int(snapshot_seq)
        return Loaded(seq, state or None, int(snapshot_seq), entries) if seq else None

    def since(self, game: str, after: int) -> tuple[tuple[int, bytes], ...]:
        """Return the entries whose seq is above `after`; see `GameStore.since`."""
        return self._page(game, after, None)

    def log(self, game: str) -> Iterator[bytes]:
        """Yield the events of every entry; see `GameStore.log`."""
        after = 0
        while page := self._page(game, after, PAGE):
            yield from (events for _, events in page)
            after = page[-1][0]

    @reaching()
    def _page(self, game: str, after: int, count: int | None) -> tuple[tuple[int, bytes], ...]:
        reply = self._client.xrange(keys.of_game(game).log, min=f"({after}-0", count=count)
        return tuple((_seq(at), fields[b"events"]) for at, fields in cast(list[Any], reply))

    @reaching()
    def secrets(self, game: str) -> dict[str, str]:
        """Return the secrets written with the first entry; see `GameStore.secrets`."""
        reply = self._client.hgetall(keys.of_game(game).secrets)
        return {name.decode(): value.decode() for name, value in cast(dict[bytes, bytes], reply).items()}

    @reaching()
    def due(self, kind: Kind, now_ms: int, limit: int) -> list[str]:
        """Return the games to look at, the longest overdue first; see `GameStore.due`."""
        shards = self._client.pipeline(transaction=False)
        for tag in keys.SHARDS:
            shards.zrange(
                keys.due(tag, kind), "-inf", now_ms, byscore=True, offset=0, num=limit, withscores=True
            )
        overdue = [pair for found in shards.execute() for pair in newest.scored(found)]
        return [game for _, game in heapq.nsmallest(limit, overdue)]

    @reaching()
    def postpone(self, kind: Kind, game: str, until_ms: int) -> None:
        """Move a due game to a later time; see `GameStore.postpone`."""
        self._client.zadd(keys.due(keys.shard(game), kind), {game: until_ms}, xx=True, gt=True)

    @reaching()
    def listed(self, status: str, before: tuple[int, str] | None, limit: int) -> list[tuple[int, str]]:
        """Return the games of a status, newest first; see `GameStore.listed`."""
        if status not in STATUSES:
            raise ValueError(f"unknown status {status!r}")
        shards = self._client.pipeline(transaction=False)
        for tag in keys.SHARDS:
            newest.ask(shards, keys.games(tag, status), before, limit)
        return newest.merged(shards.execute(), before, limit)


def _seq(stream_id: bytes) -> int:
    return int(stream_id.partition(b"-")[0])
