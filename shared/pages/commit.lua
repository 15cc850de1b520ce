-- Commits what was decided for one user: pages, scores and the follow list, all
-- of it or nothing. A commit that was applied before, as its version tells, is not
-- applied again.
--
-- KEYS
--   1            hash    the user's pages
--   2            string  what is closed
--   3            set     periods that have been written
--   4, 5         zset, set  whom the user follows, and the users who follow
--                somebody; only when that changes
--   then m       set     users of a month, for each new month page
--   then         zset    boards, one for each score
-- ARGV
--   1            version of the pages that was read, '' for none
--   2            version that this commit gives them
--   3            version of what is closed that was read, '' for none
--   4            the user
--   5            m, how many months
--   6            r, how many pages were read
--   7, 8         who comes onto the follow list, and who leaves it: of each the
--                length of the id, ':' and the id, one after the other
--   9 .. 8+r     names of the pages that were read
--   9+r ..       name and bytes of each page to set, then the packed
--                score for each board, '' to take the user off
-- Returns
--   DONE when it is committed; else an array of what is there now: what is closed,
--   the pages' version, and the r pages, false for what is missing

local DONE = 1
local pages, closed, periods = KEYS[1], KEYS[2], KEYS[3]
local read, next_version, closed_read, user = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local months, names = tonumber(ARGV[5]), tonumber(ARGV[6])
local join, leave = ARGV[7], ARGV[8]
local first_month = (join ~= '' or leave ~= '') and 6 or 4
local first_board, first_page = first_month + months, 9 + names
local first_score = #ARGV - #KEYS + first_board

local function each_id(packed, change)
  local at = 1
  while at <= #packed do
    local colon = string.find(packed, ':', at, true)
    local last = colon + tonumber(string.sub(packed, at, colon - 1))
    change(string.sub(packed, colon + 1, last))
    at = last + 1
  end
end

local version = redis.call('HGET', pages, 'v') or ''
if version == next_version then
  return DONE
end
if version ~= read or redis.call('GETRANGE', closed, 0, 7) ~= closed_read then
  local now = redis.call('HMGET', pages, 'v', unpack(ARGV, 9, 8 + names))
  table.insert(now, 1, redis.call('GET', closed))
  return now
end

redis.call('HSET', pages, 'v', next_version, unpack(ARGV, first_page, first_score - 1))
each_id(join, function(id) redis.call('ZADD', KEYS[4], 0, id) end)
each_id(leave, function(id) redis.call('ZREM', KEYS[4], id) end)
if first_month == 6 then
  redis.call(redis.call('EXISTS', KEYS[4]) == 1 and 'SADD' or 'SREM', KEYS[5], user)
end
for i = first_month, first_board - 1 do
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
