-- Replaces the events, requests and rows of an archived table with its place.
--
-- KEYS 1 events (stream)  2 head (hash: version, hash, place)  3 requests (hash), then what the operations name by number
-- ARGV 1 version and 2 hash of the last event archived  3 place  4 milliseconds that requests are still answered
--      5 operations as JSON: [[command, key, argument...]...]
-- Returns 1 if the table is at that place now, 0 if it is at another one (another process was faster), -1 if its last
-- event is another one. A repeat also removes rows that were written meanwhile.

local head = redis.call("HMGET", KEYS[2], "version", "hash", "place")
if head[1] ~= ARGV[1] or head[2] ~= ARGV[2] then return -1 end
for _, operation in ipairs(cjson.decode(ARGV[5])) do
  redis.call(operation[1], KEYS[operation[2]], unpack(operation, 3))
end
if head[3] then return head[3] == ARGV[3] and 1 or 0 end
redis.call("HSET", KEYS[2], "place", ARGV[3])
redis.call("UNLINK", KEYS[1])
if tonumber(ARGV[4]) > 0 then redis.call("PEXPIRE", KEYS[3], ARGV[4]) else redis.call("UNLINK", KEYS[3]) end
return 1
