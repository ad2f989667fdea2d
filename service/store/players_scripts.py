"""What happens to a player's keys in one step, as scripts for the server; all keys of one player share its tag.

The fields of a player's hash are those of `Player`, and `token:<digest>` and `used:<digest>` for each good token.
"""

CREATE = """#!lua
if redis.call('EXISTS', KEYS[1]) == 0 then redis.call('HSET', KEYS[1], unpack(ARGV)) end
"""

CHANGE = """#!lua
if redis.call('EXISTS', KEYS[1]) == 1 then redis.call('HSET', KEYS[1], unpack(ARGV)) end
"""

ISSUE = """#!lua
local player, mark, token, record, most = KEYS[1], ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local there = redis.call('HGET', player, token)
if there then return there end
if redis.call('HEXISTS', player, 'name') == 0 then return 'nobody' end
local held = 0
for _, field in ipairs(redis.call('HKEYS', player)) do
  if string.sub(field, 1, #mark) == mark then held = held + 1 end
end
if held >= most then return 'many' end
redis.call('HSET', player, token, record)
return record
"""

# A full store must not keep a token good that somebody has lost, and both of these make room.
REVOKE = """#!lua flags=allow-oom
local player, mark, token, used, least, wake, told = KEYS[1], unpack(ARGV)
if redis.call('HEXISTS', player, token) == 0 then return 0 end
local others = 0
for _, field in ipairs(redis.call('HKEYS', player)) do
  if string.sub(field, 1, #mark) == mark and field ~= token then others = others + 1 end
end
if others < tonumber(least) then return -1 end
redis.call('HDEL', player, token, used)
redis.call('PUBLISH', wake, told)
return 1
"""

USE = """#!lua
local player, token, used, minute = KEYS[1], unpack(ARGV)
if redis.call('HEXISTS', player, token) == 1 and (tonumber(redis.call('HGET', player, used)) or 0) < tonumber(minute) then
  redis.call('HSET', player, used, minute)
end
"""

REMOVE = """#!lua flags=allow-oom
redis.call('DEL', KEYS[1])
redis.call('PUBLISH', ARGV[1], ARGV[2])
"""

OWN_BOT = """#!lua
local bots, bot, now_ms, most = KEYS[1], ARGV[1], ARGV[2], tonumber(ARGV[3])
if redis.call('ZCARD', bots) >= most and not redis.call('ZSCORE', bots, bot) then return 0 end
redis.call('ZADD', bots, 'NX', now_ms, bot)
return 1
"""

ADD_GAME = """#!lua
local player, games, active, entered, listed = unpack(KEYS)
local game, created_ms, most, wake, told, kept = ARGV[1], ARGV[2], tonumber(ARGV[3]), ARGV[4], ARGV[5], tonumber(ARGV[6])
local is_listed = ARGV[7] == '1'
if most >= 0 and not redis.call('ZSCORE', active, game) then
  most = math.min(most, tonumber(redis.call('HGET', player, 'most_games')) or most)
  if redis.call('ZCARD', active) >= most then return most end
end
redis.call('ZADD', games, created_ms, game)
redis.call('ZADD', active, created_ms, game)
if not redis.call('ZSCORE', entered, game) then
  redis.call('ZADD', entered, redis.call('ZINCRBY', entered, 1, ''), game)
  redis.call('ZREMRANGEBYRANK', entered, 0, -kept - 2)
end
if is_listed then redis.call('ZADD', listed, created_ms, game) else redis.call('ZREM', listed, game) end
redis.call('PUBLISH', wake, told)
return -1
"""

BEGIN_SEAT = """#!lua
local held = redis.call('GET', KEYS[1])
if held and held ~= ARGV[1] then return 0 end
redis.call('SET', KEYS[1], ARGV[1], 'PX', ARGV[2])
return 1
"""

END_SEAT = """#!lua
if redis.call('GET', KEYS[1]) == ARGV[1] then redis.call('DEL', KEYS[1]) end
"""
