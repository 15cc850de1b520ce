-- Sets fields of a slot's marker if it is as expected.
--
-- KEYS
--   hash marker
-- ARGV
--   its identity and its fill as expected, then fields and values in turn; life and beat never go back
-- Returns 1, or 0 if it is another, and then nothing is set
local marker, is = KEYS[1], redis.call('HMGET', KEYS[1], 'is', 'fill')
if is[1] ~= ARGV[1] or (is[2] or '') ~= ARGV[2] then return 0 end
for i = 3, #ARGV, 2 do
  local field, value = ARGV[i], ARGV[i + 1]
  local counts = field == 'life' or field == 'beat'
  local later = counts and tonumber(redis.call('HGET', marker, field) or 0) > tonumber(value)
  local _ = not later and redis.call('HSET', marker, field, value)
end
return 1
