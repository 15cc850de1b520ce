-- Changes the last days of the rolling periods that a slot has boards of, if they are as expected. After slot.lua.
--
-- KEYS
--   hash marker, then zsets of boards to be removed
-- ARGV
--   identity of the slot, its days as expected, the days to be set, then fields of the marker that list removed keys
-- Returns 1, or 0 if the slot or its days are others, and then nothing is changed
local marker = KEYS[1]
local identity, was, days = ARGV[1], ARGV[2], ARGV[3]
local is = redis.call('HMGET', marker, 'is', 'days')
if refusal(is[1], identity) or (is[2] or '') ~= was then return 0 end
for i = 2, #KEYS do
  redis.call('UNLINK', KEYS[i])
end
for i = 4, #ARGV do
  redis.call('HDEL', marker, ARGV[i])
end
redis.call('HSET', marker, 'days', days)
return 1
