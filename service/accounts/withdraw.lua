-- Ends an invitation. A repeat changes nothing.
--
-- KEYS 1 the invitation  2 the invitations of the inviter (hash)
-- ARGV 1 id of the invitation
-- Returns "withdrawn".

redis.call("DEL", KEYS[1])
redis.call("HDEL", KEYS[2], ARGV[1])
return "withdrawn"
