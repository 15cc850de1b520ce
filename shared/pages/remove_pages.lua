-- Removes a month's pages of one user, if the closed-period set is still what was read.
--
-- KEYS
--   1  hash    the user's pages
--   2  string  the closed-period set
--   3  set     users of the month
--   4  hash    copies of profiles
-- ARGV
--   1    version of the closed-period set that was read, '' for none
--   2    the user
--   3 .. names of the pages
-- Returns
--   DONE when they are removed or were before, CHANGED when something else is closed

local DONE = 1
local CHANGED = 0
local pages, closed, month, profiles = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local closed_read, user = ARGV[1], ARGV[2]

if redis.call('GETRANGE', closed, 0, 7) ~= closed_read then
  return CHANGED
end
redis.call('HDEL', pages, unpack(ARGV, 3))
if redis.call('HLEN', pages) == 1 and redis.call('HEXISTS', pages, 'v') == 1 then
  redis.call('DEL', pages) -- a version of nothing
  redis.call('HDEL', profiles, user) -- nobody needs the name often now
end
redis.call('SREM', month, user)
return DONE
