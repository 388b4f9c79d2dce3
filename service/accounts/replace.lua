-- Replaces a record, and leaves its time to live, only if it is still what it was: a repeat changes nothing.
--
-- KEYS 1 the record
-- ARGV 1 what it was  2 what it becomes
-- Returns "replaced", or "" if it is another one by now.

if redis.call("GET", KEYS[1]) ~= ARGV[1] then return "" end
redis.call("SET", KEYS[1], ARGV[2], "KEEPTTL")
return "replaced"
