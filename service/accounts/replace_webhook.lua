-- Puts a webhook in the place of an old one, or ends it, and forgets what came of sending to the old one last.
--
-- KEYS 1 the webhook  2 what came of sending to it last
-- ARGV 1 the new webhook, or "" to end the old one
-- Returns "kept"; where one is ended, the old one, or "" if there was none.

local old = redis.call("GET", KEYS[1]) or ""
if ARGV[1] == "" then
  redis.call("DEL", KEYS[1], KEYS[2])
  return old
end
redis.call("SET", KEYS[1], ARGV[1]) -- before anything is removed: a full store would take it behind that
redis.call("DEL", KEYS[2])
return "kept"
