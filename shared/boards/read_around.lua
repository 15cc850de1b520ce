-- Reads what is around the places of users of any shard, in this one, and what those
-- there are called. Read-only.
--
-- KEYS
--   1  zset  the board
--   2  zset  the board of the period before
--   3  hash  copies of profiles
-- ARGV
--   1  how many neighbours on each side; 0 for the one before, without copies
--   2  1 for what neighbours have in the period before too, else 0
--   3 .. user, packed score on the board and on the other, '' for none, ? for the one here
-- Returns
--   1  total
--   2  for each user: packed scores, '' for none; how many are before the user here on the
--      board and on the other; neighbours, and the user if at home: user, packed score, ...,
--      a line each; packed scores of these on the other, nil for each missing
--   3  the generation of the copies, then those of neighbours, or users without; nil likewise

local board, before, profiles = KEYS[1], KEYS[2], KEYS[3]
local around, movement, found, fields = tonumber(ARGV[1]), ARGV[2] == '1', {}, {''}
-- Byte by byte, as Redis orders members; Lua's own < goes by the locale.
local function less(a, b)
  for i = 1, #a do
    if string.byte(a, i) ~= string.byte(b, i) then
      return string.byte(a, i) < (string.byte(b, i) or -1)
    end
  end
  return #a < #b
end

local function count_before(key, score, user)
  local low = score == '' and 0 or redis.call('ZCOUNT', key, '-inf', '(' .. score)
  local high = score == '' and 0 or redis.call('ZCOUNT', key, '-inf', score)
  while low < high do
    local middle = math.floor((low + high) / 2)
    local right = less(redis.call('ZRANGE', key, middle, middle)[1], user)
    low, high = right and middle + 1 or low, right and high or middle
  end
  return low
end

for i = 3, #ARGV, 3 do
  local user, packed, past, moved = ARGV[i], ARGV[i + 1], ARGV[i + 2], {}
  packed = packed == '?' and (redis.call('ZSCORE', board, user) or '') or packed
  past = past == '?' and (redis.call('ZSCORE', before, user) or '') or past
  local count = count_before(board, packed, user)
  local from = math.max(0, count - math.max(around, 1))
  local near = packed == '' and {} or redis.call('ZRANGE', board, from, count + around, 'WITHSCORES')
  fields[#fields + 1] = around == 0 and user or nil
  for j = 1, around > 0 and #near or 0, 2 do
    fields[#fields + 1], moved[#moved + 1] = near[j], movement and redis.call('ZSCORE', before, near[j])
  end
  found[#found + 1] = {packed, past, count, count_before(before, past, user), table.concat(near, '\n'), moved}
end
return {redis.call('ZCARD', board), found, redis.call('HMGET', profiles, unpack(fields))}
