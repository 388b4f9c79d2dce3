-- Counts an attempt to sign in by a code. After too many the code opens nothing any more.
--
-- KEYS 1 the code (a hash)
-- ARGV 1 the most attempts
-- Returns whose code it is, the digest of the token that asked for it, and its hashed secret; nothing if there is no
-- such code.

if redis.call("EXISTS", KEYS[1]) == 0 then return {} end
if redis.call("HINCRBY", KEYS[1], "attempts", 1) > tonumber(ARGV[1]) then redis.call("HDEL", KEYS[1], "secret") end
return redis.call("HMGET", KEYS[1], "player", "asking", "secret")
