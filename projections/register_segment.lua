-- Names a segment of the archive once, with the next number.
--
-- KEYS 1 segments (sorted set: number -> name)
-- ARGV 1 name
-- Returns its number, in digits.

local known = redis.call("ZSCORE", KEYS[1], ARGV[1])
if known then return string.format("%d", known) end
local number = redis.call("ZCARD", KEYS[1]) + 1
redis.call("ZADD", KEYS[1], number, ARGV[1])
return string.format("%d", number)
