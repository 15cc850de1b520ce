-- Writes a user's status, and with it what of the boards follows from it; all of
-- it or nothing. Doing it twice is doing it once.
--
-- KEYS
--   1      hash    the user's pages
--   2      string  what is closed
--   3      set     periods that have been written
--   4      set     users who are hidden or excluded
--   5 ..   zset    boards, one for each score
-- ARGV
--   1      version of the pages that was read, '' for none
--   2      version that this gives them
--   3      version of what is closed that was read, '' for none
--   4      the user
--   5      bytes of the status page, '' for who is neither hidden nor excluded
--   6 ..   the packed score for each board, '' to take the user off
-- Returns
--   DONE when it is written, CHANGED when the pages or what is closed are of another
--   version

local DONE = 1
local CHANGED = 0
local pages, closed, periods, away = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local read, next_version, closed_read = ARGV[1], ARGV[2], ARGV[3]
local user, status = ARGV[4], ARGV[5]

local version = redis.call('HGET', pages, 'v') or ''
if version == next_version then
  return DONE
end
if version ~= read or redis.call('GETRANGE', closed, 0, 7) ~= closed_read then
  return CHANGED
end

if status ~= '' then
  redis.call('HSET', pages, 'v', next_version, 'status', status)
  redis.call('SADD', away, user)
else
  redis.call('SREM', away, user)
  redis.call('HDEL', pages, 'status', 'v')
  if redis.call('EXISTS', pages) == 1 then -- else there is nothing to have a version
    redis.call('HSET', pages, 'v', next_version)
  end
end
for i = 5, #KEYS do
  local board, packed = KEYS[i], ARGV[i + 1]
  if packed == '' then
    redis.call('ZREM', board, user)
  else
    redis.call('ZADD', board, packed, user)
    -- The index names a board's period as the board's key ends.
    redis.call('SADD', periods, string.match(board, '}:board:(.*)'))
  end
end
return DONE
