-- Puts new recovery codes in the place of the ones before.
--
-- KEYS 1 what is kept of the account (a hash)  2 the player  3 the record of the token that asks  4... where the new codes
--      lead to the player, and behind these where the ones before did
-- ARGV 1 the codes as they were read, "" for none  2 what they become  3 id of the player  4 how many new ones there are
-- Returns "kept", also to a repeat; "revoked" if the account or the token has ended, "changed" if the codes are not what
-- was read.

if redis.call("EXISTS", KEYS[2]) == 0 or redis.call("EXISTS", KEYS[3]) == 0 then return "revoked" end
local now = redis.call("HGET", KEYS[1], "recovery") or ""
if now == ARGV[2] then return "kept" end
if now ~= ARGV[1] then return "changed" end
redis.call("HSET", KEYS[1], "recovery", ARGV[2])
for i = 4, #KEYS do
  if i < 4 + tonumber(ARGV[4]) then redis.call("SET", KEYS[i], ARGV[3]) else redis.call("DEL", KEYS[i]) end
end
return "kept"
