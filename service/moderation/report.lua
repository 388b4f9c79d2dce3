-- Keeps a report once: a repeat changes nothing. So many of an account may wait.
--
-- KEYS 1 all reports (hash: number -> report, id -> its number and its fingerprint)  2 those of whoever reports (hash:
--      id -> number)  3 that account  4 the record of the token that asks  5 the account that is reported, or 3
-- ARGV 1 the report  2 its id  3 fingerprint of the request  4 the most reports that the account may have made
-- Returns the number of the report in digits, the first one to a repeat; "revoked" if the account or the token has
-- ended, "reused" if the request came with another body, "unknown" if nobody is there to be reported, "full" if there
-- are too many.

if redis.call("EXISTS", KEYS[3]) == 0 or redis.call("EXISTS", KEYS[4]) == 0 then return "revoked" end
local kept = redis.call("HGET", KEYS[1], ARGV[2])
if kept then
  local number, fingerprint = string.match(kept, "^(%d+) (.*)$")
  if fingerprint ~= ARGV[3] then return "reused" end
  return number
end
if redis.call("EXISTS", KEYS[5]) == 0 then return "unknown" end
if redis.call("HLEN", KEYS[2]) >= tonumber(ARGV[4]) then return "full" end
local number = redis.call("HLEN", KEYS[1]) / 2 + 1
redis.call("HSET", KEYS[1], number, ARGV[1], ARGV[2], number .. " " .. ARGV[3])
redis.call("HSET", KEYS[2], ARGV[2], number)
return string.format("%d", number)
