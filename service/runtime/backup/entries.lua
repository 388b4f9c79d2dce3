-- Adds entries to a stream, as they were numbered; a repeat adds nothing.
--
-- KEYS 1 the stream
-- ARGV for each entry: its id (n-0), the number of its names and values, these one by one
-- Returns how many were added.

local newest = redis.call("XREVRANGE", KEYS[1], "+", "-", "COUNT", 1)
local last = newest[1] and tonumber(newest[1][1]:match("^%d+")) or 0
local at, added = 1, 0
while at <= #ARGV do
  local count = tonumber(ARGV[at + 1])
  if tonumber(ARGV[at]:match("^%d+")) > last then
    redis.call("XADD", KEYS[1], ARGV[at], unpack(ARGV, at + 2, at + 1 + count))
    added = added + 1
  end
  at = at + 2 + count
end
return added
