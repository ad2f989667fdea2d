"""The game store on Redis or Valkey: every change is one script, so it happens whole or not at all.

The log is a stream with the id `<seq>-0` for each entry, and its top is the only version a game has.  The scripts keep to
commands of Redis 7.0 and name all their keys, so they run on one server as on a cluster.
"""

import heapq
from collections import Counter
from collections.abc import Iterator
from typing import Any, cast

from redis import Redis

from service.store import keys, newest
from service.store.connect import reaching
from service.store.contract import CODE_KEPT_MS, STATUSES, Appended, Entry, Kind, Loaded
from service.store.doors import DoorKey

PAGE = 100
"""How many entries one reading of a whole log fetches at once."""

# XADD comes first among the writes: it is what a full memory refuses, and then nothing has been written.
_APPEND = """#!lua
local log, snapshot, secrets, turns, bots, late_turns, late_bots, phases = unpack(KEYS, 1, 8)
local game, after, seq, events, state, status, created, due_turns, due_bots, phase = unpack(ARGV, 1, 10)
local head, door, wake, passing = unpack(ARGV, 11, 14)
local id = seq .. '-0'
local function mark(set, score)
  if score ~= '' then redis.call('ZADD', set, score, game) else redis.call('ZREM', set, game) end
end
local top = redis.call('XREVRANGE', log, '+', '-', 'COUNT', 1)[1]
if (top and top[1] or '0-0') ~= after .. '-0' then
  local there = redis.call('XRANGE', log, id, id)[1]
  return (there and there[2][2] == events) and 'repeated' or 'stale'
end
if top and head ~= '' and not string.find(top[2][2], head, 1, true) then return 'stale' end
redis.call('XADD', log, id, 'events', events)
if state ~= '' then redis.call('HSET', snapshot, 'seq', seq, 'state', state, 'door', door) end
if #ARGV > 14 then redis.call('HSET', secrets, unpack(ARGV, 15)) end
for place = 9, #KEYS do
  mark(KEYS[place], place - 8 == tonumber(status) and created or '')
end
mark(turns, due_turns)
mark(bots, due_bots)
mark(late_turns, '')
mark(late_bots, '')
if phase ~= '' then redis.call('HSET', phases, game, phase) else redis.call('HDEL', phases, game) end
redis.call('PUBLISH', wake, game .. ' ' .. seq .. passing)
return 'recorded'
"""

_POSTPONE = """#!lua
local due, late = KEYS[1], KEYS[2]
local game, until_ms = ARGV[1], ARGV[2]
local since = redis.call('ZSCORE', due, game)
if not since then return 0 end
redis.call('ZADD', late, 'NX', since, game)
return redis.call('ZADD', due, 'XX', 'GT', 'CH', until_ms, game)
"""

# Without arguments it loads whatever there is; else the first is a join code, the others are words.  For whom they do not
# open the game it goes on with keys that are never there, so that it does the same as for a game that is not there.
_LOAD = """#!lua flags=no-writes
local log, snapshot, secrets, nowhere = unpack(KEYS)
if #ARGV > 0 then
  local door, code = redis.call('HGET', snapshot, 'door') or '', redis.call('HGET', secrets, 'join_code')
  local words = ' ' .. door .. ' '
  local function stands(word) return string.find(words, ' ' .. word .. ' ', 1, true) end
  local is_open = door == '' or (stands('code') and code == ARGV[1])
  for place = 2, #ARGV do is_open = is_open or stands(ARGV[place]) end
  if not is_open then log, snapshot = nowhere, nowhere end
end
local held = redis.call('HMGET', snapshot, 'seq', 'state')
local later = held[1] and '(' .. held[1] .. '-0' or '-'
return {held[1] or '0', held[2] or '', redis.call('XRANGE', log, later, '+')}
"""


class RedisStore:
    """A `GameStore` on a server that several processes share.  It owns no connection: the client does."""

    def __init__(self, client: Redis) -> None:
        """Use a client of `connect.games_client`; scripts are sent again by themselves when the server forgot them."""
        self._client = client
        self._append = client.register_script(_APPEND)
        self._load = client.register_script(_LOAD)
        self._postpone = client.register_script(_POSTPONE)

    @reaching()
    def append(self, entry: Entry) -> Appended:
        """Write the entry if its game still is at `after`; see `GameStore.append`."""
        of_game = keys.of_game(entry.game)
        tag = keys.shard(entry.game)
        due = (keys.due(tag, "turns"), keys.due(tag, "bots"))
        open_games = (keys.late(tag, "turns"), keys.late(tag, "bots"), keys.phases(tag))
        reply = self._append(
            keys=[of_game.log, of_game.snapshot, of_game.secrets, *due, *open_games, *keys.indexes(tag)],
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
                entry.phase,
                entry.head,
                " ".join(sorted(entry.door)),
                keys.WAKE,
                " passing" if entry.is_passing else "",
                *(part for secret in (entry.secrets or {}).items() for part in secret),
            ],
        )
        return Appended(cast(bytes, reply).decode())

    @reaching()
    def load(self, game: str, key: DoorKey | None = None) -> Loaded | None:
        """Return the last snapshot and the entries after it; see `GameStore.load`."""
        of_game = keys.of_game(game)
        shown = [] if key is None else [key.code, *key.words]
        reply = self._load(keys=[of_game.log, of_game.snapshot, of_game.secrets, of_game.nowhere], args=shown)
        snapshot_seq, state, later = cast(tuple[bytes, bytes, list[Any]], reply)
        entries = tuple((_seq(at), fields[1]) for at, fields in later)
        seq = entries[-1][0] if entries else int(snapshot_seq)
        return Loaded(seq, state or None, int(snapshot_seq), entries) if seq else None

    @reaching()
    def name_code(self, code: str, game: str) -> None:
        """Have a game found by its join code; see `GameStore.name_code`."""
        self._client.set(keys.join_code(code), game, px=CODE_KEPT_MS)

    @reaching()
    def by_code(self, code: str) -> str | None:
        """Return the game that may have a join code; see `GameStore.by_code`."""
        found = cast(bytes | None, self._client.get(keys.join_code(code)))
        return found.decode() if found else None

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
        tag = keys.shard(game)
        self._postpone(keys=[keys.due(tag, kind), keys.late(tag, kind)], args=[game, until_ms])

    @reaching()
    def late(self, kind: Kind, before_ms: int, limit: int) -> list[tuple[int, str]]:
        """Return the games that have been due for so long; see `GameStore.late`."""
        shards = self._client.pipeline(transaction=False)
        for tag in keys.SHARDS:
            for index in (keys.due(tag, kind), keys.late(tag, kind)):
                shards.zrange(index, "-inf", before_ms, byscore=True, offset=0, num=limit, withscores=True)
        since: dict[str, int] = {}
        for since_ms, game in sorted(pair for found in shards.execute() for pair in newest.scored(found)):
            since.setdefault(game, since_ms)
        return heapq.nsmallest(limit, ((since_ms, game) for game, since_ms in since.items()))

    @reaching()
    def phases(self) -> dict[str, int]:
        """Return how many open games there are in each phase; see `GameStore.phases`."""
        shards = self._client.pipeline(transaction=False)
        for tag in keys.SHARDS:
            shards.hvals(keys.phases(tag))
        counted = Counter(phase for found in shards.execute() for phase in cast(list[bytes], found))
        return {phase.decode(): count for phase, count in counted.items()}

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
