-- Removes keys of a slot that is being emptied.
--
-- KEYS
--   hash marker, then the keys
-- ARGV
--   the fill that empties the slot, begin if it begins: the marker says so from then on
-- Returns how many keys it removed, -1 if another fill empties the slot now
local marker, fill, removed = KEYS[1], ARGV[1], 0
if ARGV[2] == 'begin' then
  redis.call('UNLINK', marker)
  redis.call('HSET', marker, 'is', '', 'fill', fill)
end
local is = redis.call('HMGET', marker, 'is', 'fill')
if is[1] ~= '' or is[2] ~= fill then return -1 end
for i = 2, #KEYS do removed = removed + redis.call('UNLINK', KEYS[i]) end
return removed
