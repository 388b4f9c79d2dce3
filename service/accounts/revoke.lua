-- Ends a token: its record and its place in the lists of its player. A repeat changes nothing.
--
-- KEYS 1 the player's tokens (hash: id -> digest)  2 the record of the token  3 when the tokens were used last (hash)
-- ARGV 1 id of the token
-- Returns "revoked".

redis.call("DEL", KEYS[2])
redis.call("HDEL", KEYS[1], ARGV[1])
redis.call("HDEL", KEYS[3], ARGV[1])
return "revoked"
