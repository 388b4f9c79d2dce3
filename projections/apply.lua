-- Applies what batches change in projections, exactly once: rows and checkpoints together or not at all.
--
-- KEYS what the changes name by number
-- ARGV 1 changes as JSON, one a projection: [[checkpoint, after, upto, [[command, key, argument...]...]]...]:
--        `after` is the checkpoint behind the last batch applied, `upto` the one behind these;
--        the score "position" of a ZADD is the position in the feed with which `upto` begins
-- Returns 1 if applied, 0 if a checkpoint stands elsewhere (another process was faster, or the call is repeated).

local changes = cjson.decode(ARGV[1])
for _, change in ipairs(changes) do
  if (redis.call("GET", KEYS[change[1]]) or "0") ~= change[2] then return 0 end
end
for _, change in ipairs(changes) do
  local position = string.match(change[3], "^%d+")
  for _, operation in ipairs(change[4]) do
    if operation[1] == "ZADD" and operation[3] == "position" then operation[3] = position end
    redis.call(operation[1], KEYS[operation[2]], unpack(operation, 3))
  end
  redis.call("SET", KEYS[change[1]], change[3])
end
return 1
