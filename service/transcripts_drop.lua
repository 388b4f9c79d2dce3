-- Deletes a transcript; a repeat changes nothing.
--
-- KEYS 1 the transcript  2 the player's transcripts (hash: id -> what a list tells of it)
-- ARGV 1 its id

redis.call("DEL", KEYS[1])
redis.call("HDEL", KEYS[2], ARGV[1])
