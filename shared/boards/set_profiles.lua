-- Sets copies of profiles where none is, or an older one. Doing it twice is doing
-- it once.
--
-- KEYS
--   1  hash  the shard's copies of profiles; '' -> the generation, which each erasure ends
-- ARGV
--   1    the generation in which the profiles were read, '' for the first
--   2    how many fields the hash may have before copies without a profile are set no more
--   3 .. user, copy (a version, which may have a profile behind it), user, ...
-- Returns
--   DONE when no older one is there, CHANGED in another generation: someone whose
--   copy this may be was erased meanwhile

local DONE = 1
local CHANGED = 0
local profiles = KEYS[1]
local generation, most = ARGV[1], tonumber(ARGV[2])

local function version(copy)
  return tonumber(string.match(copy, '^%d+') or -1)
end

if (redis.call('HGET', profiles, '') or '') ~= generation then
  return CHANGED
end
for i = 3, #ARGV, 2 do
  local user, copy = ARGV[i], ARGV[i + 1]
  local there = redis.call('HGET', profiles, user)
  local room = copy ~= '0' or redis.call('HLEN', profiles) < most
  if room and (not there or version(there) < version(copy)) then
    local set = redis.pcall('HSET', profiles, user, copy)
    if type(set) == 'table' then -- Redis is full: rather no copy than an old one
      redis.call('HDEL', profiles, user)
    end
  end
end
return DONE
