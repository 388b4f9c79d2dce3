-- Notes what came of sending to a webhook, or ends it if its bot is gone. Another webhook may be in its place by now, or
-- none: then nothing changes.
--
-- KEYS 1 the webhook  2 what came of sending to it last
-- ARGV 1 id of the webhook  2 what came of it, "" if its bot is gone
-- Returns 1 if the webhook was still there.

local kept = redis.call("GET", KEYS[1])
if not kept or cjson.decode(kept).id ~= ARGV[1] then return 0 end
if ARGV[2] == "" then
  redis.call("DEL", KEYS[1], KEYS[2])
else
  redis.call("SET", KEYS[2], ARGV[2])
end
return 1
