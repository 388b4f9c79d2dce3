-- Blocks a player for another, or ends that, on both sides.
--
-- KEYS 1 whom somebody has blocked (hash)  2 who has blocked the other (hash)  3 somebody's account  4 the other's
--      5 the record of the token that asks
-- ARGV 1 id of somebody  2 id of the other  3 when, "" to end it  4 the most that somebody may block
-- Returns "kept", also to a repeat; "revoked" if the account or the token has ended, "unknown" if there is no such other,
-- "full" if somebody blocks as many as may be.

if redis.call("EXISTS", KEYS[3]) == 0 or redis.call("EXISTS", KEYS[5]) == 0 then return "revoked" end
if ARGV[3] == "" then
  redis.call("HDEL", KEYS[1], ARGV[2])
  redis.call("HDEL", KEYS[2], ARGV[1])
  return "kept"
end
if redis.call("EXISTS", KEYS[4]) == 0 then return "unknown" end
if redis.call("HEXISTS", KEYS[1], ARGV[2]) == 1 then return "kept" end
if redis.call("HLEN", KEYS[1]) >= tonumber(ARGV[4]) then return "full" end
redis.call("HSET", KEYS[1], ARGV[2], ARGV[3])
redis.call("HSET", KEYS[2], ARGV[1], ARGV[3])
return "kept"
