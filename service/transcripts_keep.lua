-- Keeps a transcript once: a repeat changes nothing. A player has so many at most.
--
-- KEYS 1 the transcript  2 the player's transcripts (hash: id -> what a list tells of it)
-- ARGV 1 its id  2 what is kept  3 what a list tells of it  4 the most that a player may have
-- Returns what is kept, the first to a repeat; how many there are if these are too many for another.

local kept = redis.call("GET", KEYS[1])
if kept then return kept end
local held = redis.call("HLEN", KEYS[2])
if held >= tonumber(ARGV[4]) then return held end
redis.call("SET", KEYS[1], ARGV[2])
redis.call("HSET", KEYS[2], ARGV[1], ARGV[3])
return ARGV[2]
