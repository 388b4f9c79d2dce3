-- Appends one batch of events to a table's log, or returns the reason why it does not.
--
-- Redis runs a script without interruption but does not roll back one that fails halfway. So this script checks
-- everything first, including the type of each key, and only then writes: after the first write nothing can fail.
-- A caller that lost the reply may send the same batch again; it gets the answer of the first time.
--
-- KEYS 1 events (stream)  2 head (hash: version, hash, place)  3 requests (hash: request -> fingerprint:first:last)
--      4 feed (stream)    5 timers (sorted set)            6 attempts (hash)    7 wake (stream of one entry)
--      8 listeners (hash: player -> webhook)
-- ARGV 1 table  2 expected version  3 expected hash  4 request or ""  5 fingerprint  6 number of events n
--      7 number of timers to remove r  8 number of timers to add a  9 time now: timers up to it wake a dispatcher
--      then n times: envelope, seals or "", hash;  r times: member;  a times: time, member, listener or "":
--      a timer with a listener is added only if that player listens
-- Returns {"appended", first, last} | {"repeated", first, last} | {"reused"} | {"conflict", entry, ...} |
--         {"archived", place} | {"diverged", version, hash} | {"corrupt", version} | {"damaged answer", request} |
--         {"malformed", why}

local n, removed, added = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
if not (n and removed and added and n >= 1 and n <= 256) then return {"malformed", "number of events"} end
if #ARGV ~= 9 + 3 * n + removed + 3 * added then return {"malformed", "number of arguments"} end
local size = 0
for i = 10, 9 + 3 * n do size = size + #ARGV[i] end
if size > 1048576 then return {"malformed", "more than 1 MiB"} end
for i = 1, added do
  if not tonumber(ARGV[9 + 3 * n + removed + 3 * i - 2]) then return {"malformed", "time of a timer"} end
end
local expected, now = tonumber(ARGV[2]), tonumber(ARGV[9])
if not (expected and now) then return {"malformed", "expected version or time"} end

if ARGV[4] ~= "" then
  local known = redis.call("HGET", KEYS[3], ARGV[4])
  if known then
    local fingerprint, first, last = known:match("^(.*):(%d+):(%d+)$")
    if not fingerprint then return {"damaged answer", ARGV[4]} end
    if fingerprint ~= ARGV[5] then return {"reused"} end
    return {"repeated", tonumber(first), tonumber(last)}
  end
end

local head = redis.call("HMGET", KEYS[2], "version", "hash", "place")
if head[3] then return {"archived", head[3]} end
local version = tonumber(head[1] or "0")
if version > expected then
  local missed = redis.call("XRANGE", KEYS[1], expected + 1, "+", "COUNT", 1000)
  local answer = {"conflict"}
  for i = 1, #missed do answer[i + 1] = missed[i] end
  return answer
end
local hash = head[2] or string.rep("\0", 32) -- an empty table: events.chain.GENESIS
if version < expected or hash ~= ARGV[3] then
  return {"diverged", version, hash}
end
local newest = redis.call("XREVRANGE", KEYS[1], "+", "-", "COUNT", 1)
if (newest[1] and newest[1][1] or "0-0") ~= version .. "-0" then return {"corrupt", version} end
local last_pointer = redis.call("XREVRANGE", KEYS[4], "+", "-", "COUNT", 1)
local position = 1 + (last_pointer[1] and tonumber(last_pointer[1][1]:match("^%d+")) or 0)
redis.call("ZCARD", KEYS[5]) -- these four raise here, before any write, if a key has the wrong type
redis.call("HLEN", KEYS[6])
redis.call("XLEN", KEYS[7])
redis.call("HLEN", KEYS[8])

local first, last, at = version + 1, version + n, 10
for v = first, last do
  if ARGV[at + 1] == "" then
    redis.call("XADD", KEYS[1], v .. "-0", "e", ARGV[at], "h", ARGV[at + 2])
  else
    redis.call("XADD", KEYS[1], v .. "-0", "e", ARGV[at], "s", ARGV[at + 1], "h", ARGV[at + 2])
  end
  at = at + 3
end
hash = ARGV[at - 1]
redis.call("HSET", KEYS[2], "version", last, "hash", hash)
if ARGV[4] ~= "" then redis.call("HSET", KEYS[3], ARGV[4], ARGV[5] .. ":" .. first .. ":" .. last) end
redis.call("XADD", KEYS[4], position .. "-0", "t", ARGV[1], "f", first, "l", last, "h", hash)
for i = 1, removed do
  redis.call("ZREM", KEYS[5], ARGV[at])
  redis.call("HDEL", KEYS[6], ARGV[at])
  at = at + 1
end
local wakes = false
for i = 1, added do
  if ARGV[at + 2] == "" or redis.call("HEXISTS", KEYS[8], ARGV[at + 2]) == 1 then
    redis.call("ZADD", KEYS[5], ARGV[at], ARGV[at + 1])
    wakes = wakes or tonumber(ARGV[at]) <= now
  end
  at = at + 3
end
if wakes then redis.call("XADD", KEYS[7], "MAXLEN", 1, "*", "w", "") end
return {"appended", first, last}
