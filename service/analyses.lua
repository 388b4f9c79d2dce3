-- Changes an analysis if it still stands as it was read. Called again, it changes nothing.
--
-- KEYS 1 the analysis (hash)  2 when analyses go on (sorted set)  3 what an account has asked for (sorted set, by
--      when each changed last)  4 the same of whoever had asked for what this takes the place of
-- ARGV 1 how it stands, "" if there is none  2 how it becomes, "" to remove it  3 its name  4 the time, in ms
--      5 when it goes on, in ms, "" if never  6 the seconds that it is kept  7 how many an account may ask for, "" if it
--      does not ask now  8 the time since which an analysis must have changed to count, in ms; then fields and their values
-- Returns 1 if it was changed, 0 if it stands otherwise, -1 if the account has as many as it may.

if (redis.call("HGET", KEYS[1], "state") or "") ~= ARGV[1] then return 0 end
if ARGV[7] ~= "" then
  if redis.call("ZCOUNT", KEYS[3], ARGV[8], "+inf") >= tonumber(ARGV[7]) then return -1 end
  -- First a write that a full store refuses: behind one that removes something it would take all others.
  redis.call("ZADD", KEYS[2], ARGV[5], ARGV[3])
  redis.call("DEL", KEYS[1])
  redis.call("ZREM", KEYS[4], ARGV[3])
  redis.call("ZADD", KEYS[3], ARGV[4], ARGV[3])
end
redis.call("ZREMRANGEBYSCORE", KEYS[3], "-inf", ARGV[4] - ARGV[6] * 1000)
if ARGV[5] == "" then
  redis.call("ZREM", KEYS[2], ARGV[3])
  redis.call("ZREM", KEYS[3], ARGV[3])
else
  redis.call("ZADD", KEYS[2], ARGV[5], ARGV[3])
  redis.call("ZADD", KEYS[3], "XX", ARGV[4], ARGV[3])
  redis.call("EXPIRE", KEYS[3], ARGV[6])
end
if ARGV[2] == "" then
  redis.call("DEL", KEYS[1])
  return 1
end
redis.call("HSET", KEYS[1], "state", ARGV[2], unpack(ARGV, 9))
redis.call("EXPIRE", KEYS[1], ARGV[6])
return 1
