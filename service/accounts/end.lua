-- Ends an account that nobody has used since its stamp was read: all of it or nothing.
--
-- KEYS 1 when it was used last  2 its tokens (hash: id -> digest)  3... the player, the webhook and the records of the tokens
-- ARGV 1 the stamp as it was read  2 how many tokens there were then
-- Returns 1 if it has ended, 0 if it was used, or given a token, meanwhile.

if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
if redis.call("HLEN", KEYS[2]) ~= tonumber(ARGV[2]) then return 0 end
for _, key in ipairs(KEYS) do redis.call("DEL", key) end -- more than `unpack` may hold
return 1
