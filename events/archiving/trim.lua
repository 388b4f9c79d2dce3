-- Removes an archived part of a feed and records its name.
--
-- KEYS 1 feed (stream)  2 its archived parts (hash: number -> name)
-- ARGV 1 number of the part  2 its name  3 its last position  4 hash of the pointer there
-- Returns 1 if the part is archived now, 0 if the feed holds another pointer there or the previous part is missing.

local number = tonumber(ARGV[1])
if redis.call("HGET", KEYS[2], ARGV[1]) == ARGV[2] then return 1 end
if redis.call("HLEN", KEYS[2]) ~= number then return 0 end
local entry = redis.call("XRANGE", KEYS[1], ARGV[3], ARGV[3])[1]
if not entry then return 0 end
local hash = ""
for i = 1, #entry[2], 2 do
  if entry[2][i] == "h" then hash = entry[2][i + 1] end
end
if hash ~= ARGV[4] then return 0 end
redis.call("HSET", KEYS[2], ARGV[1], ARGV[2])
redis.call("XTRIM", KEYS[1], "MINID", "=", tonumber(ARGV[3]) + 1)
return 1
