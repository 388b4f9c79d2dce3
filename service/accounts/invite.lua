-- Stores an invitation, and its place among those of the inviter, for a while.
--
-- KEYS 1 the invitation  2 the invitations of the inviter (hash: id -> when it ends, Unix time, ms)  3 that account
--      4 the record of the token that asks
-- ARGV 1 the invitation  2 its id  3 when it ends (ms)  4 how long it is kept (ms)  5 the most that may be open
-- Returns "kept", also to a repeat; "revoked" if the account or the token has ended, "full" if there are too many.

if redis.call("EXISTS", KEYS[3]) == 0 or redis.call("EXISTS", KEYS[4]) == 0 then return "revoked" end
if redis.call("EXISTS", KEYS[1]) == 1 then return "kept" end
-- An invitation is open as long as its key exists; the time in the list may come from a clock that ran ahead.
local ended, open = {}, 0
local before = string.sub(KEYS[1], 1, -1 - #ARGV[2])
for _, id in ipairs(redis.call("HKEYS", KEYS[2])) do
  if redis.call("EXISTS", before .. id) == 1 then open = open + 1 else ended[#ended + 1] = id end
end
if open >= tonumber(ARGV[5]) then return "full" end
redis.call("SET", KEYS[1], ARGV[1], "PX", ARGV[4]) -- before anything is removed: a full store refuses writes, but not removals
for _, id in ipairs(ended) do redis.call("HDEL", KEYS[2], id) end
redis.call("HSET", KEYS[2], ARGV[2], ARGV[3])
redis.call("PEXPIRE", KEYS[2], ARGV[4])
return "kept"
