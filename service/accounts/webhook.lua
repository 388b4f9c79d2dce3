-- Puts a webhook in the place of an old one, or ends it, and forgets what came of sending to the old one last.
--
-- KEYS 1 the webhook  2 what came of sending to it last
-- ARGV 1 the new webhook, or "" to end the old one
-- Returns "kept"; where one is ended "ended", or "none" if there was none.

if ARGV[1] == "" then
  redis.call("DEL", KEYS[2])
  return redis.call("DEL", KEYS[1]) == 1 and "ended" or "none"
end
redis.call("SET", KEYS[1], ARGV[1]) -- before anything is removed: a full store would take it behind that
redis.call("DEL", KEYS[2])
return "kept"
