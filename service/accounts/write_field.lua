-- Writes a field of what is kept of an account, or removes it, if the field still is what was read.
--
-- KEYS 1 what is kept (a hash)  2 the player  3 the record of the token that asks  4 a challenge that this uses up, if one
--      was set
-- ARGV 1 the field  2 what it was, "" for nothing  3 what it becomes, "" for nothing  4 the most fields that there may be
-- Returns "kept", also to a repeat; "revoked" if the account or the token has ended, "changed" if it is not what was
-- read, "unasked" if there is no such challenge, "full" if there are as many fields as there may be.

if redis.call("EXISTS", KEYS[2]) == 0 or redis.call("EXISTS", KEYS[3]) == 0 then return "revoked" end
local now = redis.call("HGET", KEYS[1], ARGV[1]) or ""
if now == ARGV[3] then return "kept" end
if now ~= ARGV[2] then return "changed" end
if KEYS[4] and redis.call("EXISTS", KEYS[4]) == 0 then return "unasked" end
if now == "" and redis.call("HLEN", KEYS[1]) >= tonumber(ARGV[4]) then return "full" end
if ARGV[3] == "" then redis.call("HDEL", KEYS[1], ARGV[1]) else redis.call("HSET", KEYS[1], ARGV[1], ARGV[3]) end
if KEYS[4] then redis.call("DEL", KEYS[4]) end -- a full store has refused by now: behind this it would take a write
return "kept"
