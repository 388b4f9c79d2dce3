-- Writes a further token for whoever has proved that the account is theirs, and uses the proof up.
--
-- KEYS 1 the answer (its fingerprint, then what is sealed)  2 the player  3 the player's tokens (hash: id -> digest)
--      4 the record of the token  5 where the proof is (a hash)  6 what has to be there besides
-- ARGV 1 fingerprint  2 the sealed answer  3 how many seconds it is kept  4 id of the token  5 its digest
--      6 the most tokens that a player may have  7 the token  8 the field of the proof  9 what it has to be
--      10 what it becomes, "" for nothing  11 "1" if what has to be there besides is used up too
-- Returns the sealed answer, the first one to a repeat; "reused" if the request came with another fingerprint; "full" if
-- the player has too many tokens for another; "unproved" if the proof is not what it has to be.

local kept = redis.call("GET", KEYS[1])
if kept then
  if string.sub(kept, 1, #ARGV[1]) ~= ARGV[1] then return "reused" end
  return string.sub(kept, #ARGV[1] + 1)
end
if ARGV[9] == "" or redis.call("HGET", KEYS[5], ARGV[8]) ~= ARGV[9] then return "unproved" end
if redis.call("EXISTS", KEYS[2]) == 0 or redis.call("EXISTS", KEYS[6]) == 0 then return "unproved" end
if redis.call("HLEN", KEYS[3]) >= tonumber(ARGV[6]) then return "full" end
redis.call("SET", KEYS[1], ARGV[1] .. ARGV[2], "EX", ARGV[3])
redis.call("HSET", KEYS[3], ARGV[4], ARGV[5])
redis.call("SET", KEYS[4], ARGV[7])
if ARGV[10] == "" then redis.call("HDEL", KEYS[5], ARGV[8]) else redis.call("HSET", KEYS[5], ARGV[8], ARGV[10]) end
if ARGV[11] == "1" then redis.call("DEL", KEYS[6]) end
return ARGV[2]
