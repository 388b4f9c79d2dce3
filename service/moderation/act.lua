-- Keeps an action once: a repeat changes nothing. It was decided on all actions before it.
--
-- KEYS 1 all actions (hash: number -> action, request -> the number of what it led to, and its fingerprint)
-- ARGV 1 the action  2 the request  3 its fingerprint  4 how many actions there were when it was decided
-- Returns the number of the action in digits, the first one to a repeat; "reused" if the request came with another
-- body, "changed" if there are other actions by now.

local kept = redis.call("HGET", KEYS[1], ARGV[2])
if kept then
  local number, fingerprint = string.match(kept, "^(%d+) (.*)$")
  if fingerprint ~= ARGV[3] then return "reused" end
  return number
end
local number = redis.call("HLEN", KEYS[1]) / 2 + 1
if number ~= tonumber(ARGV[4]) + 1 then return "changed" end
redis.call("HSET", KEYS[1], number, ARGV[1], ARGV[2], number .. " " .. ARGV[3])
return string.format("%d", number)
