-- Takes a user off boards and, with the last of them, removes everything else of
-- the user; all of it or nothing.
--
-- KEYS
--   1        hash    the user's pages
--   2        string  the closed-period set
--   3        zset    whom the user follows
--   4        set     users who follow somebody
--   5        set     users who are hidden or excluded
--   6        hash    copies of profiles
--   7 .. 6+m set     users of a month, for each month
--   7+m ..   zset    boards
-- ARGV
--   1  version of the pages that was read, '' for none
--   2  version of the closed-period set that was read, '' for none
--   3  the user
--   4  m, how many months
--   5  1 to remove everything else, 0 for the boards alone
-- Returns
--   CHANGED when the pages or the closed-period set are of another version; else an array
--   of how much was removed: boards, pages, their months, whom the user follows, whether
--   hidden or excluded, copies of the profile

local CHANGED = 0
local pages, closed, friends, lists, suppressed, profiles = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5], KEYS[6]
local read, closed_read, user = ARGV[1], ARGV[2], ARGV[3]
local months, whole = tonumber(ARGV[4]), ARGV[5] == '1'

if string.sub(redis.call('HGET', pages, 'v') or '', 1, 8) ~= read or redis.call('GETRANGE', closed, 0, 7) ~= closed_read then
  return CHANGED
end
local boards = 0
for i = 7 + months, #KEYS do
  boards = boards + redis.call('ZREM', KEYS[i], user)
end
if not whole then
  return {boards, 0, 0, 0, 0, 0}
end
for i = 7, 6 + months do
  redis.call('SREM', KEYS[i], user)
end
local held = redis.call('HLEN', pages) - redis.call('HEXISTS', pages, 'v')
local followed = redis.call('ZCARD', friends)
redis.call('UNLINK', pages, friends)
redis.call('SREM', lists, user)
return {boards, held, months, followed, redis.call('SREM', suppressed, user), redis.call('HDEL', profiles, user)}
