-- Reads a page of whom a user follows, with copies of the profiles. Read-only.
--
-- KEYS
--   1  zset  whom the user follows
--   2  hash  copies of profiles
-- ARGV
--   1  offset of the page, from 0
--   2  place of its last entry
-- Returns
--   1  how many the user follows
--   2  the page: ids, in order
--   3  for each the copy of the profile, false when there is none here

local friends, profiles = KEYS[1], KEYS[2]
local first, last = ARGV[1], ARGV[2]

local page, copies = redis.call('ZRANGE', friends, first, last), {}
if #page > 0 then
  copies = redis.call('HMGET', profiles, unpack(page))
end
return {redis.call('ZCARD', friends), page, copies}
