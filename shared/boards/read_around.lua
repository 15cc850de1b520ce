-- Reads what is around the place of a user of any shard, in this one, and what those
-- there are called. Read-only.
--
-- KEYS
--   1  zset  the board
--   2  zset  the board of the period before
--   3  hash  copies of profiles
-- ARGV
--   1  the user
--   2  the user's packed score on the board, '' for none
--   3  the user's packed score on the board of the period before, '' for none
--   4  how many neighbours on each side
-- Returns
--   1  how many are before the user here, 0 without a score
--   2  how many are in the period before, likewise
--   3  neighbours and the user where at home: user, packed score, user, ...
--   4  the generation of the copies, then those of the users in 3; nil for each missing

local board, before, profiles = KEYS[1], KEYS[2], KEYS[3]
local user, packed, packed_before, around = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])

-- Byte by byte, as Redis orders members; Lua's own < goes by the locale.
local function less(a, b)
  for i = 1, math.min(#a, #b) do
    local x, y = string.byte(a, i), string.byte(b, i)
    if x ~= y then
      return x < y
    end
  end
  return #a < #b
end

local function count_before(key, score)
  local low = score == '' and 0 or redis.call('ZCOUNT', key, '-inf', '(' .. score)
  local high = score == '' and 0 or redis.call('ZCOUNT', key, '-inf', score)
  while low < high do
    local middle = math.floor((low + high) / 2)
    if less(redis.call('ZRANGE', key, middle, middle)[1], user) then
      low = middle + 1
    else
      high = middle
    end
  end
  return low
end

local count, near, fields = count_before(board, packed), {}, {''}
if packed ~= '' then
  near = redis.call('ZRANGE', board, math.max(0, count - around), count + around, 'WITHSCORES')
end
for i = 1, #near, 2 do
  fields[#fields + 1] = near[i]
end
return {count, count_before(before, packed_before), near, redis.call('HMGET', profiles, unpack(fields))}
