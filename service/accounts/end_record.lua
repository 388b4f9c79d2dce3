-- Ends a token or an invitation: its record and its place in the lists of its player. A repeat changes nothing.
--
-- KEYS 1 the record  2... the lists (hashes by id)
-- ARGV 1 its id
-- Returns "ended".

redis.call("DEL", KEYS[1])
for i = 2, #KEYS do redis.call("HDEL", KEYS[i], ARGV[1]) end
return "ended"
