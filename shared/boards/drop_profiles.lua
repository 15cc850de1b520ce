-- Drops copies of profiles, and ends the era, so that nobody who has read one of
-- them before sets it again.
--
-- KEYS
--   1  hash  the shard's copies of profiles
-- ARGV
--   1 .. users
-- Returns
--   DONE

local DONE = 1
local profiles = KEYS[1]

redis.call('HDEL', profiles, unpack(ARGV))
redis.call('HINCRBY', profiles, '', 1)
return DONE
