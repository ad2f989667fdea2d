"""Where kept answers lie: `Slots` in memory, and on Redis or Valkey."""

from threading import Lock
from typing import cast

from redis import Redis

from service.store import keys
from service.store.connect import reaching
from service.store.idempotency import KEPT_MAX, KEPT_MS, TooManyKeys

# One hash a scope, and beside it a sorted set of the slots by age: so both bounds hold without a key for every answer.
_SWAP = """#!lua
local answers, age = KEYS[1], KEYS[2]
local slot, expected, new, now, kept_ms, kept_max = unpack(ARGV)
for _, old in ipairs(redis.call('ZRANGE', age, '-inf', '(' .. now - kept_ms, 'BYSCORE')) do
  redis.call('HDEL', answers, old)
  redis.call('ZREM', age, old)
end
local held = redis.call('HGET', answers, slot) or ''
if held ~= expected then return held end
if new == '' then
  redis.call('HDEL', answers, slot)
  redis.call('ZREM', age, slot)
  return new
end
if held == '' and redis.call('ZCARD', age) >= tonumber(kept_max) then
  return tonumber(redis.call('ZRANGE', age, 0, 0, 'WITHSCORES')[2]) + kept_ms + 1 - now
end
redis.call('HSET', answers, slot, new)
redis.call('ZADD', age, 'NX', now, slot)
redis.call('PEXPIRE', answers, kept_ms)
redis.call('PEXPIRE', age, kept_ms)
return new
"""


class RedisSlots:
    """`Slots` on a server that several processes share."""

    def __init__(self, client: Redis) -> None:
        """Use a client of `connect.games_client`."""
        self._swap = client.register_script(_SWAP)

    @reaching()
    def swap(self, scope: str, slot: str, expected: bytes, new: bytes, now_ms: int) -> bytes:
        """Put `new` where `expected` stands; see `Slots.swap`."""
        of_scope = [keys.answers(scope), keys.answers_age(scope)]
        found = cast(
            "bytes | int",
            self._swap(keys=of_scope, args=[slot, expected, new, now_ms, KEPT_MS, KEPT_MAX]),
        )
        if isinstance(found, int):
            raise TooManyKeys(found)
        return found


class MemorySlots:
    """`Slots` in this process's memory, safe to share between threads."""

    def __init__(self) -> None:
        """Begin with nothing kept."""
        self._lock = Lock()
        self._kept: dict[str, dict[str, tuple[int, bytes]]] = {}

    def swap(self, scope: str, slot: str, expected: bytes, new: bytes, now_ms: int) -> bytes:
        """Put `new` where `expected` stands; see `Slots.swap`."""
        with self._lock:
            old = self._kept.get(scope, {})
            kept = {name: (at, held) for name, (at, held) in old.items() if at >= now_ms - KEPT_MS}
            at_ms, held = kept.get(slot, (now_ms, b""))
            if held != expected:
                return held
            if not new:
                kept.pop(slot, None)
                self._kept[scope] = kept
                return new
            if not held and len(kept) >= KEPT_MAX:
                raise TooManyKeys(min(at for at, _ in kept.values()) + KEPT_MS + 1 - now_ms)
            kept[slot] = (at_ms, new)
            self._kept[scope] = kept
            return new
