-- Reads where a user stands on boards and in the indexes of months, with the
-- version of the pages, so that it can be held against them. Read-only.
--
-- KEYS
--   1            hash    the user's pages
--   2            string  what is closed
--   3 .. 2+m     set     users of a month, for each month
--   3+m ..       zset    boards
-- ARGV
--   1  the user
--   2  m, how many months
-- Returns
--   1  version of the pages, '' for none
--   2  version of what is closed, '' for none
--   3  for each month 1 when the user is in its index, else 0
--   4  for each board the packed score, false when not on it

local pages, closed = KEYS[1], KEYS[2]
local user, months = ARGV[1], tonumber(ARGV[2])

local indexed, scores = {}, {}
for i = 3, 2 + months do
  indexed[i - 2] = redis.call('SISMEMBER', KEYS[i], user)
end
for i = 3 + months, #KEYS do
  scores[i - 2 - months] = redis.call('ZSCORE', KEYS[i], user)
end
return {redis.call('HGET', pages, 'v') or '', redis.call('GETRANGE', closed, 0, 7), indexed, scores}
