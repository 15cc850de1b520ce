-- Reads pages of a user who is hidden or excluded, to tell what the boards lack.
-- Read-only.
--
-- KEYS
--   1  hash    the user's pages
--   2  set     users who are hidden or excluded
--   3  string  the closed-period set
-- ARGV
--   1    the user
--   2 .. names of pages
-- Returns
--   the closed-period set and the pages, false for what is missing; an empty array for a
--   user who is neither

local pages, suppressed, closed = KEYS[1], KEYS[2], KEYS[3]
local user = ARGV[1]

if redis.call('SISMEMBER', suppressed, user) == 0 then
  return {}
end
return {redis.call('GET', closed), unpack(redis.call('HMGET', pages, unpack(ARGV, 2)))}
