-- Notes on a day from where an account came; a repeat changes nothing. An account that has ended is not noted.
--
-- KEYS 1 the day (hash: player -> hashes of addresses, with blanks between)  2 the account
-- ARGV 1 id of the player  2 the hash of the address  3 in how many seconds the day is forgotten  4 the most addresses noted

if redis.call("EXISTS", KEYS[2]) == 0 then return 0 end
local kept = redis.call("HGET", KEYS[1], ARGV[1]) or ""
local held = 0
for one in string.gmatch(kept, "%S+") do
  if one == ARGV[2] then return 0 end
  held = held + 1
end
if held >= tonumber(ARGV[4]) then return 0 end
redis.call("HSET", KEYS[1], ARGV[1], held == 0 and ARGV[2] or kept .. " " .. ARGV[2])
redis.call("EXPIRE", KEYS[1], ARGV[3])
return 1
