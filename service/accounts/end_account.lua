-- Ends an account that nobody has used since its stamp was read: all of it or nothing.
--
-- KEYS 1 when it was used last  2 its tokens (hash: id -> digest)  3 whom it has blocked (hash)  4 who has blocked it (hash)
--      5 its invitations (hash)  6 what is kept of it (hash)  7 where its code to sign in is
--      8... its other records, then the hashes of blocks that have it among others
-- ARGV 1 the stamp as it was read  2 how many tokens there were then  3 how many it had blocked  4 how many had blocked it
--      5 how many invitations it had sent  6 its recovery codes as they were read, "" for none  7 where its code was, "" if
--      there was none  8 id of the player  9 how many other records there are
-- Returns 1 if it has ended, 0 if it was used, given a token or blocked meanwhile, or sent an invitation or made codes.

if redis.call("GET", KEYS[1]) ~= ARGV[1] then return 0 end
for i = 2, 5 do
  if redis.call("HLEN", KEYS[i]) ~= tonumber(ARGV[i]) then return 0 end
end
if (redis.call("HGET", KEYS[6], "recovery") or "") ~= ARGV[6] then return 0 end
if (redis.call("GET", KEYS[7]) or "") ~= ARGV[7] then return 0 end
for i, key in ipairs(KEYS) do -- more than `unpack` may hold
  if i <= 7 + tonumber(ARGV[9]) then redis.call("DEL", key) else redis.call("HDEL", key, ARGV[8]) end
end
return 1
