-- Removes a record, only if it is still what it was: a repeat changes nothing.
--
-- KEYS 1 the record
-- ARGV 1 what it was
-- Returns 1 if it was removed, 0 if it is another one by now, or gone.

if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
return redis.call("DEL", KEYS[1])
