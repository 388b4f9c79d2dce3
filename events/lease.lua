-- Leases due timers: each gets a new time, and is due again then unless it was removed. The lease doubles with each
-- attempt. Repeating the call takes nothing twice within the lease.
--
-- KEYS 1 timers (sorted set)  2 attempts (hash)
-- ARGV 1 now (ms)  2 lease (ms)  3 longest lease (ms)  4 most entries
-- Returns {member, attempt, ...}

local answer = {}
for _, member in ipairs(redis.call("ZRANGEBYSCORE", KEYS[1], "-inf", ARGV[1], "LIMIT", 0, ARGV[4])) do
  local attempt = redis.call("HINCRBY", KEYS[2], member, 1)
  local lease = math.min(tonumber(ARGV[2]) * 2 ^ math.min(attempt - 1, 10), tonumber(ARGV[3]))
  redis.call("ZADD", KEYS[1], tonumber(ARGV[1]) + lease, member)
  answer[#answer + 1] = member
  answer[#answer + 1] = attempt
end
return answer
