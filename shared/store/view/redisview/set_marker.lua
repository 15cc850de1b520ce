-- Sets fields of a slot's marker if it is as expected. After slot.lua.
--
-- KEYS
--   hash marker
-- ARGV
--   its identity, its fill and the boards that it is compared by as expected, '' for any of the latter, then fields and
--   values in turn; life and beat never decrease
-- Returns 1, or 0 if it is another, and then nothing is set
local marker = KEYS[1]
local identity, fill, asks = ARGV[1], ARGV[2], ARGV[3]
local INCREASING = {life = true, beat = true}
local is = redis.call('HMGET', marker, 'is', 'fill', 'asks')
if refusal(is[1], identity) or (is[2] or '') ~= fill then return 0 end
if asks ~= '' and is[3] ~= asks then return 0 end

local function is_later(field, value)
  return tonumber(redis.call('HGET', marker, field) or 0) > tonumber(value)
end

for i = 4, #ARGV, 2 do
  local field, value = ARGV[i], ARGV[i + 1]
  if not INCREASING[field] or not is_later(field, value) then redis.call('HSET', marker, field, value) end
end
return 1
