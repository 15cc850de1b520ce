-- Puts entries on a shard's part of a board, if what is closed is still what was
-- read. Doing it twice is doing it once.
--
-- KEYS
--   1  zset    the board
--   2  string  what is closed
--   3  set     periods that have been written
-- ARGV
--   1    version of what is closed that was read, '' for none
--   2    the period's name in the index of periods
--   3 .. packed score, user, packed score, ...
-- Returns
--   DONE when they are on it, CHANGED when something else is closed

local DONE = 1
local CHANGED = 0
local board, closed, periods = KEYS[1], KEYS[2], KEYS[3]
local closed_read, period = ARGV[1], ARGV[2]

if redis.call('GETRANGE', closed, 0, 7) ~= closed_read then
  return CHANGED
end
redis.call('ZADD', board, unpack(ARGV, 3))
redis.call('SADD', periods, period)
return DONE
