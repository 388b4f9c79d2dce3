-- Applies what one batch changes in a projection, exactly once: rows and checkpoint together or not at all.
--
-- KEYS 1 checkpoint  2... what the operations name by number
-- ARGV 1 the checkpoint behind the last batch applied  2 the one behind this batch  3 operations as JSON: [[command, key, argument...]...]
-- Returns 1 if applied, 0 if the checkpoint stands elsewhere (another process was faster, or the call is repeated).

if (redis.call("GET", KEYS[1]) or "0") ~= ARGV[1] then return 0 end
for _, operation in ipairs(cjson.decode(ARGV[3])) do
  redis.call(operation[1], KEYS[operation[2]], unpack(operation, 3))
end
redis.call("SET", KEYS[1], ARGV[2])
return 1
