-- Applies operations if a row still is what it was when they were made. A call that is repeated finds it changed.
--
-- KEYS 1 the rows  2... what the operations name by number
-- ARGV 1 the row's field  2 the row, "" if there was none  3 operations as JSON: [[command, key, argument...]...]
-- Returns 1 if applied, else 0.

if (redis.call("HGET", KEYS[1], ARGV[1]) or "") ~= ARGV[2] then return 0 end
for _, operation in ipairs(cjson.decode(ARGV[3])) do
  redis.call(operation[1], KEYS[operation[2]], unpack(operation, 3))
end
return 1
