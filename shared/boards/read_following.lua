-- Reads a page of whom a user follows, with copies of the profiles. Read-only.
--
-- KEYS
--   1  zset  whom the user follows
--   2  hash  copies of profiles
-- ARGV
--   1  offset of the page, from 0
--   2  place of its last entry
--   3  the longest page that comes with copies
-- Returns
--   1  how many the user follows
--   2  the page: ids, in order
--   3  the generation of the copies, then for each the copy of the profile, false when
--      there is none here; the generation alone for too many

local friends, profiles = KEYS[1], KEYS[2]
local first, last, most = ARGV[1], ARGV[2], tonumber(ARGV[3])

local page = redis.call('ZRANGE', friends, first, last)
local copies = redis.call('HMGET', profiles, '', unpack(#page <= most and page or {}))
return {redis.call('ZCARD', friends), page, copies}
