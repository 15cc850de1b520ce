-- Removes the names of users who are on no board any more.
--
-- KEYS
--   hash marker, hash names, then zsets of all boards of the slot
-- ARGV
--   identity of the slot, then users
-- Returns how many it removed
if redis.call('HGET', KEYS[1], 'is') ~= ARGV[1] then return 0 end
local removed = 0
for i = 2, #ARGV do
  local on = false
  for k = 3, #KEYS do on = on or redis.call('ZSCORE', KEYS[k], ARGV[i]) end
  removed = removed + (on and 0 or redis.call('HDEL', KEYS[2], ARGV[i]))
end
return removed
