-- Replaces the reservations of an account if they are as they were read. A repeat changes nothing.
--
-- KEYS 1 the reservations
-- ARGV 1 what they were, "" for none  2 what they become  3 for how many seconds they are kept
-- Returns 1 if they were replaced.

if (redis.call("GET", KEYS[1]) or "") ~= ARGV[1] then return 0 end
redis.call("SET", KEYS[1], ARGV[2], "EX", ARGV[3])
return 1
