-- Writes a token, and the player whose first one it is, once. A repeat of the request changes nothing and gets the first
-- answer as long as that is kept. A player has so many tokens at most.
--
-- KEYS 1 the answer (its fingerprint, then what is sealed)  2 the player's tokens (hash: id -> digest)  3... the records,
--      and behind these the record of the token that asks, if one does
-- ARGV 1 fingerprint  2 the sealed answer  3 how many seconds it is kept  4 id of the token  5 its digest
--      6 the most tokens that a player may have  7... the values of the records
-- Returns the sealed answer, the first one to a repeat; "reused" if the request came with another fingerprint; "full" if
-- the player has too many tokens for another; "revoked" if the token that asks was revoked.

local records = #ARGV - 6
local asking = KEYS[3 + records]
if asking and redis.call("EXISTS", asking) == 0 then return "revoked" end
local kept = redis.call("GET", KEYS[1])
if kept then
  if string.sub(kept, 1, #ARGV[1]) ~= ARGV[1] then return "reused" end
  return string.sub(kept, #ARGV[1] + 1)
end
if redis.call("HLEN", KEYS[2]) >= tonumber(ARGV[6]) then return "full" end
redis.call("SET", KEYS[1], ARGV[1] .. ARGV[2], "EX", ARGV[3])
redis.call("HSET", KEYS[2], ARGV[4], ARGV[5])
for i = 1, records do
  redis.call("SET", KEYS[i + 2], ARGV[i + 6])
end
return ARGV[2]
