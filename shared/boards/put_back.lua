-- Puts entries on a shard's part of a board, if the closed-period set is still what was
-- read: all but the users who are hidden or excluded. Doing it twice is doing it
-- once.
--
-- KEYS
--   1  zset    the board
--   2  string  the closed-period set
--   3  set     periods that have been written
--   4  set     users who are hidden or excluded
-- ARGV
--   1    version of the closed-period set that was read, '' for none
--   2    the period's name in the index of periods
--   3 .. packed score, user, packed score, ...
-- Returns
--   an array of one: how many were left out; CHANGED when something else is closed

local CHANGED = 0
local board, closed, periods, suppressed = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local closed_read, period = ARGV[1], ARGV[2]

if redis.call('GETRANGE', closed, 0, 7) ~= closed_read then
  return CHANGED
end
local left_out, on = 0, {}
for i = 3, #ARGV, 2 do
  if redis.call('SISMEMBER', suppressed, ARGV[i + 1]) == 1 then
    left_out = left_out + 1
  else
    table.insert(on, ARGV[i])
    table.insert(on, ARGV[i + 1])
  end
end
if #on > 0 then
  redis.call('ZADD', board, unpack(on))
  redis.call('SADD', periods, period)
end
return {left_out}
