-- Sets fields of a slot's marker if it is as expected. After slot.lua.
--
-- KEYS
--   hash marker
-- ARGV
--   its identity and its fill as expected, then fields and values in turn; life and beat never decrease
-- Returns 1, or 0 if it is another, and then nothing is set
local marker = KEYS[1]
local identity, fill = ARGV[1], ARGV[2]
local INCREASING = {life = true, beat = true}
local is = redis.call('HMGET', marker, 'is', 'fill')
if refusal(is[1], identity) or (is[2] or '') ~= fill then return 0 end

local function is_later(field, value)
  return tonumber(redis.call('HGET', marker, field) or 0) > tonumber(value)
end

for i = 3, #ARGV, 2 do
  local field, value = ARGV[i], ARGV[i + 1]
  if not INCREASING[field] or not is_later(field, value) then redis.call('HSET', marker, field, value) end
end
return 1
