-- Writes what a user's pages say over what is there: pages, scores, indexes, and
-- whom the user follows; all of it or nothing. Doing it twice is doing it once.
--
-- KEYS
--   1            hash    the user's pages
--   2            string  what is closed
--   3            set     periods that have been written
--   4            zset    whom the user follows
--   5 .. 4+m     set     indexes of users that are wrong
--   5+m ..       zset    boards, one for each score
-- ARGV
--   1            version of the pages that was read, '' for none
--   2            version that this repair gives them if it sets any
--   3            version of what is closed that was read, '' for none
--   4            the user
--   5            m, how many indexes
--   6            p, how many pages
--   7            u, how many users do not belong to those followed
--   8 .. 7+m     for each index 1 to enter the user, 0 to strike the user out
--   8+m ..       those u users, then name and bytes of each page to set, then packed
--                score ('' to take the user off) and period's name for each board
-- Returns
--   DONE when it is written, CHANGED when the pages or what is closed are of another
--   version

local DONE = 1
local CHANGED = 0
local pages, closed, periods, friends = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local read, next_version, closed_read, user = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local indexes, sets, strangers = tonumber(ARGV[5]), tonumber(ARGV[6]), tonumber(ARGV[7])
local first_stranger = 8 + indexes
local first_page = first_stranger + strangers
local first_board = 5 + indexes
local first_score = first_page + 2 * sets

local version = redis.call('HGET', pages, 'v') or ''
if sets > 0 and version == next_version then
  return DONE
end
if version ~= read or redis.call('GETRANGE', closed, 0, 7) ~= closed_read then
  return CHANGED
end

if sets > 0 then
  redis.call('HSET', pages, 'v', next_version, unpack(ARGV, first_page, first_score - 1))
end
if strangers > 0 then
  redis.call('ZREM', friends, unpack(ARGV, first_stranger, first_page - 1))
end
for i = 5, first_board - 1 do
  redis.call(ARGV[i + 3] == '1' and 'SADD' or 'SREM', KEYS[i], user)
end
for i = first_board, #KEYS do
  local at = first_score + 2 * (i - first_board)
  local packed, period = ARGV[at], ARGV[at + 1]
  if packed == '' then
    redis.call('ZREM', KEYS[i], user)
  else
    redis.call('ZADD', KEYS[i], packed, user)
    redis.call('SADD', periods, period)
  end
end
return DONE
