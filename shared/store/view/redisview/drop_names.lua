-- Removes the names of users who are on no board any more. After slot.lua.
--
-- KEYS
--   hash marker, hash names, then zsets of all boards of the slot
-- ARGV
--   identity of the slot, then users
-- Returns how many it removed
local marker, names = KEYS[1], KEYS[2]
local identity = ARGV[1]
if refusal(redis.call('HGET', marker, 'is'), identity) then return 0 end

local function is_on_a_board(user)
  for i = 3, #KEYS do
    if redis.call('ZSCORE', KEYS[i], user) then return true end
  end
  return false
end

local removed = 0
for i = 2, #ARGV do
  local user = ARGV[i]
  if not is_on_a_board(user) then removed = removed + redis.call('HDEL', names, user) end
end
return removed
