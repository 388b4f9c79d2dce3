-- Replaces a record only if it is still what it was: a repeat changes nothing.
--
-- KEYS 1 the record
-- ARGV 1 what it was, "" for nothing  2 what it becomes, "" for nothing  3 for how many seconds, if not as long as before
-- Returns "replaced", or "" if it is another one by now.

if (redis.call("GET", KEYS[1]) or "") ~= ARGV[1] then return "" end
if ARGV[2] == "" then
  redis.call("DEL", KEYS[1])
elseif ARGV[3] then
  redis.call("SET", KEYS[1], ARGV[2], "EX", ARGV[3])
else
  redis.call("SET", KEYS[1], ARGV[2], "KEEPTTL")
end
return "replaced"
