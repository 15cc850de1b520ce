-- Replaces what is closed in a shard, if it is still what was read.
--
-- KEYS
--   1  string  what is closed
-- ARGV
--   1  version that was read, '' for none
--   2  the new value, its version first
-- Returns
--   DONE when it is replaced or was already, CHANGED when something else is there

local DONE = 1
local CHANGED = 0
local closed = KEYS[1]
local read, value = ARGV[1], ARGV[2]

local version = redis.call('GETRANGE', closed, 0, 7)
if version == string.sub(value, 1, 8) then
  return DONE
end
if version ~= read then
  return CHANGED
end
redis.call('SET', closed, value)
return DONE
