-- Removes a shard's part of a board, if what is closed is still what was read.
--
-- KEYS
--   1  zset    the board
--   2  string  what is closed
--   3  set     periods that have been written
-- ARGV
--   1  version of what is closed that was read, '' for none
--   2  the period's name in the index of periods
-- Returns
--   DONE when it is removed or was before, CHANGED when something else is closed

local DONE = 1
local CHANGED = 0
local board, closed, periods = KEYS[1], KEYS[2], KEYS[3]
local closed_read, period = ARGV[1], ARGV[2]

if redis.call('GETRANGE', closed, 0, 7) ~= closed_read then
  return CHANGED
end
redis.call('UNLINK', board)
redis.call('SREM', periods, period)
return DONE
