-- Ends an invitation, and notes for a while that it was withdrawn. A repeat changes nothing.
--
-- KEYS 1 the invitation  2 the invitations of whoever has invited (hash)  3 that it was withdrawn
-- ARGV 1 id of the invitation  2 how many seconds that is noted
-- Returns "withdrawn".

redis.call("SET", KEYS[3], 1, "EX", ARGV[2]) -- before anything is removed: a full store would take it behind that
redis.call("DEL", KEYS[1])
redis.call("HDEL", KEYS[2], ARGV[1])
return "withdrawn"
