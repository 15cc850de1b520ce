-- Commits what was decided for one user: pages and scores, all of it or nothing.
-- A commit that was applied before, as its version tells, is not applied again.
--
-- KEYS
--   1            hash    the user's pages
--   2            string  what is closed
--   3            set     periods that have been written
--   4 .. 3+m     set     users of a month, for each new month page
--   4+m ..       zset    boards, one for each score
-- ARGV
--   1            version of the pages that was read, '' for none
--   2            version that this commit gives them
--   3            version of what is closed that was read, '' for none
--   4            the user
--   5            m, how many months
--   6            r, how many pages were read
--   7 .. 6+r     their names
--   7+r ..       name and bytes of each page to set, then the packed score for
--                each board, '' to take the user off
-- Returns
--   DONE when it is committed; else an array of what is there now: what is closed,
--   the pages' version, and the r pages, false for what is missing

local DONE = 1
local pages, closed, periods = KEYS[1], KEYS[2], KEYS[3]
local read, next_version, closed_read, user = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local months, names = tonumber(ARGV[5]), tonumber(ARGV[6])
local first_board = 4 + months
local first_score = #ARGV - #KEYS + first_board

local version = redis.call('HGET', pages, 'v') or ''
if version == next_version then
  return DONE
end
if version ~= read or redis.call('GETRANGE', closed, 0, 7) ~= closed_read then
  local now = redis.call('HMGET', pages, 'v', unpack(ARGV, 7, 6 + names))
  table.insert(now, 1, redis.call('GET', closed))
  return now
end

redis.call('HSET', pages, 'v', next_version, unpack(ARGV, 7 + names, first_score - 1))
for i = 4, first_board - 1 do
  redis.call('SADD', KEYS[i], user)
end
for i = first_board, #KEYS do
  local board, packed = KEYS[i], ARGV[first_score + i - first_board]
  if packed == '' then
    redis.call('ZREM', board, user)
  elseif redis.call('ZADD', board, packed, user) == 1 then
    -- The index names a board's period as the board's key ends.
    redis.call('SADD', periods, string.match(board, '}:board:(.*)'))
  end
end
return DONE
