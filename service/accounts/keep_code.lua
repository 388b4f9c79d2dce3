-- Keeps a code by which another device signs in, for a while, in the place of the account's code before.
--
-- KEYS 1 the code (a hash)  2 where the account's code is  3 the record of the token that asks  4 the code before, if one
-- ARGV 1 the secret of the code, hashed  2 id of the player  3 digest of the token that asks  4 seconds that it is kept
-- Returns "kept", also to a repeat; "revoked" if the token has ended, "taken" if another code begins alike.

if redis.call("EXISTS", KEYS[3]) == 0 then return "revoked" end
local there = redis.call("HGET", KEYS[1], "secret")
if there == ARGV[1] then return "kept" end
if redis.call("EXISTS", KEYS[1]) == 1 and KEYS[1] ~= KEYS[4] then return "taken" end
redis.call("SET", KEYS[2], KEYS[1], "EX", ARGV[4]) -- before anything is removed: a full store would take it behind that
if KEYS[4] then redis.call("DEL", KEYS[4]) end
redis.call("HSET", KEYS[1], "secret", ARGV[1], "player", ARGV[2], "asking", ARGV[3])
redis.call("EXPIRE", KEYS[1], ARGV[4])
return "kept"
