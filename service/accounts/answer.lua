-- Notes what became of an invitation, and tells whoever has invited: all of it or nothing. A repeat changes nothing.
--
-- KEYS 1 the invitation  2 what is told to whoever has invited (stream)  3 the webhook of whoever has invited
--      4 the letters that are due (sorted set)
-- ARGV 1 the invitation as it was  2 as it becomes  3 its id  4 what became of it, "" for what is not told
--      5 how long that is kept (ms)  6 the most that is kept of it  7 the name of the letter, which is due at once
-- Returns "noted", or "" if it is another one by now.

if redis.call("GET", KEYS[1]) ~= ARGV[1] then return "" end
redis.call("SET", KEYS[1], ARGV[2], "KEEPTTL")
if ARGV[4] == "" then return "noted" end
redis.call("XADD", KEYS[2], "MAXLEN", ARGV[6], "*", "invitation", ARGV[3], "state", ARGV[4])
redis.call("PEXPIRE", KEYS[2], ARGV[5])
if redis.call("EXISTS", KEYS[3]) == 1 then redis.call("ZADD", KEYS[4], 0, ARGV[7]) end
return "noted"
