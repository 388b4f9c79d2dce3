-- Ends an account that nobody has used since its stamp was read: all of it or nothing.
--
-- KEYS 1 when it was used last  2 its tokens (hash: id -> digest)  3 whom it has blocked (hash)  4 who has blocked it (hash)
--      5... its other records, then the hashes that have it among others: those of whoever blocks it, and of addresses
-- ARGV 1 the stamp as it was read  2 how many tokens there were then  3 how many it had blocked  4 how many had blocked it
--      5 id of the player  6 how many other records there are
-- Returns 1 if it has ended, 0 if it was used, given a token or blocked meanwhile.

if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
for i = 2, 4 do
  if redis.call("HLEN", KEYS[i]) ~= tonumber(ARGV[i]) then return 0 end
end
for i, key in ipairs(KEYS) do -- more than `unpack` may hold
  if i <= 4 + tonumber(ARGV[6]) then redis.call("DEL", key) else redis.call("HDEL", key, ARGV[5]) end
end
return 1
