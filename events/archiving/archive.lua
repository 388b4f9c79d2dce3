-- Replaces an archived table's events, requests and rows with its place in the archive.
--
-- KEYS 1 events (stream)  2 head (hash: version, hash, place)  3 requests (hash), then the keys of the operations
-- ARGV 1 version and 2 hash of the last event archived  3 place  4 milliseconds for which repeats are still answered
--      5 operations as JSON: [[command, number of the key, argument...]...]
-- Returns 1 if the table is now at that place, 0 if another process put it elsewhere first, -1 if its last event
-- differs. A repeat also removes rows written in the meantime.

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
