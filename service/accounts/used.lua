-- Notes the day on which an account was used, if there is such an account.
--
-- KEYS 1 the player  2 when it was used last
-- ARGV 1 the day

if redis.call("EXISTS", KEYS[1]) == 1 then redis.call("SET", KEYS[2], ARGV[1]) end
