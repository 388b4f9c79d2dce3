-- Notes the day on which an account was used, and by which of its tokens, if there are such an account and such a token;
-- what is noted is not written again. A server whose clock is behind does not make an account look unused that was used
-- since. A damaged day is none.
--
-- KEYS 1 the player  2 when it was used last  3 its tokens (hash: id -> digest)  4 when these were used last (hash)
-- ARGV 1 the day  2 id of the token
-- Returns the player, nothing if there is none.

local player = redis.call("GET", KEYS[1])
if not player then return player end
local last = tonumber(redis.call("GET", KEYS[2]) or 0) or 0
if last < tonumber(ARGV[1]) then redis.call("SET", KEYS[2], ARGV[1]) end
local is_noted = redis.call("HGET", KEYS[4], ARGV[2]) == ARGV[1]
if not is_noted and redis.call("HEXISTS", KEYS[3], ARGV[2]) == 1 then redis.call("HSET", KEYS[4], ARGV[2], ARGV[1]) end
return player
