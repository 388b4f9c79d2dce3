-- Notes an attempt to sign in by a code, by the name of its request with its body: a repeat is the same attempt, another
-- guess under the same Idempotency-Key is not. After too many the code opens nothing any more, and no more are noted.
--
-- KEYS 1 the code (a hash)
-- ARGV 1 name of the request and of its body  2 the most attempts
-- Returns whose code it is and the digest of the token that asked for it; nothing if there is no such code.

if redis.call("EXISTS", KEYS[1]) == 0 then return {} end
if redis.call("HEXISTS", KEYS[1], "secret") == 0 then return redis.call("HMGET", KEYS[1], "player", "asking") end
redis.call("HSET", KEYS[1], "attempt " .. ARGV[1], 1)
local attempts = 0
for _, field in ipairs(redis.call("HKEYS", KEYS[1])) do
  if string.sub(field, 1, 8) == "attempt " then attempts = attempts + 1 end
end
if attempts > tonumber(ARGV[2]) then redis.call("HDEL", KEYS[1], "secret") end
return redis.call("HMGET", KEYS[1], "player", "asking")
