-- Removes a player's listener in a partition, unless another webhook has replaced the one that ended.
--
-- KEYS 1 listeners (hash: player -> webhook)
-- ARGV 1 player  2 the webhook that ended, "" for any

if ARGV[2] == "" or redis.call("HGET", KEYS[1], ARGV[1]) == ARGV[2] then redis.call("HDEL", KEYS[1], ARGV[1]) end
return 1
