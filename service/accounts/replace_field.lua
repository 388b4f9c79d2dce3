-- Replaces a field of a hash, only if it is still what it was: a repeat changes nothing.
--
-- KEYS 1 the hash
-- ARGV 1 the field  2 what it was  3 what it becomes
-- Returns 1 if it was replaced.

if redis.call("HGET", KEYS[1], ARGV[1]) ~= ARGV[2] then return 0 end
redis.call("HSET", KEYS[1], ARGV[1], ARGV[3])
return 1
