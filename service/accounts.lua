-- Writes a token, and the player that it is the first one of, once: a repeat of the request changes nothing.
--
-- KEYS 1 requests (hash: request -> fingerprint)  2 the player's tokens (hash: id -> digest)  3... the records
-- ARGV 1 request  2 fingerprint  3 id of the token  4 its digest  5... the values of the records
-- Returns "written", "repeated" or "reused" (the request was used with another fingerprint).

local known = redis.call("HGET", KEYS[1], ARGV[1])
if known then
  if known == ARGV[2] then return "repeated" end
  return "reused"
end
redis.call("HLEN", KEYS[2])
redis.call("HSET", KEYS[1], ARGV[1], ARGV[2])
redis.call("HSET", KEYS[2], ARGV[3], ARGV[4])
for i = 3, #KEYS do
  redis.call("SET", KEYS[i], ARGV[i + 2])
end
return "written"
