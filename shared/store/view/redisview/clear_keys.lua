-- Removes keys of a slot that is being emptied. After slot.lua.
--
-- KEYS
--   hash marker, then the keys
-- ARGV
--   the fill that empties the slot, begin if it begins: the marker says so from then on
-- Returns how many keys it removed, -1 if another fill empties the slot now
local marker = KEYS[1]
local fill = ARGV[1]
local begins = ARGV[2] == 'begin'
local EMPTYING = '' -- the identity of a slot that is being emptied
if begins then
  redis.call('UNLINK', marker)
  redis.call('HSET', marker, 'is', EMPTYING, 'fill', fill)
end
local is = redis.call('HMGET', marker, 'is', 'fill')
if refusal(is[1], EMPTYING) or is[2] ~= fill then return -1 end
local removed = 0
for i = 2, #KEYS do
  removed = removed + redis.call('UNLINK', KEYS[i])
end
return removed
