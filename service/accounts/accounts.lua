-- Writes a token, and the player that it is the first one of, once: a repeat of the request changes nothing, and is told
-- the first answer for as long as that is kept.
--
-- KEYS 1 the answer (its fingerprint, then what is sealed)  2 the player's tokens (hash: id -> digest)  3... the records
-- ARGV 1 fingerprint  2 the sealed answer  3 how many seconds it is kept  4 id of the token  5 its digest
--      6... the values of the records
-- Returns the sealed answer, the first one to a repeat; "" if the request came with another fingerprint.

local kept = redis.call("GET", KEYS[1])
if kept then
  if string.sub(kept, 1, #ARGV[1]) ~= ARGV[1] then return "" end
  return string.sub(kept, #ARGV[1] + 1)
end
redis.call("HLEN", KEYS[2]) -- refuses a key of another type before anything is written
redis.call("SET", KEYS[1], ARGV[1] .. ARGV[2], "EX", ARGV[3])
redis.call("HSET", KEYS[2], ARGV[4], ARGV[5])
for i = 3, #KEYS do
  redis.call("SET", KEYS[i], ARGV[i + 3])
end
return ARGV[2]
