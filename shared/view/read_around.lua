-- Reads what is around the places of users of any shard, in this one, and what those there are called. Read-only.
--
-- KEYS
--   hash marker, zset board, zset board of the period before, hash names
-- ARGV
--   1, 2   identity of the slot; how many neighbours on each side, 0 for the one before, without names of others
--   3      1 for what neighbours have in the period before too, else 0
--   4 ..   user, packed score on the board and on the other, '' for none, ? for the one here
-- Returns an error for another slot, or one that is being filled; else
--   1  total
--   2  for each user: packed scores, '' for none; how many are before the user here on the board and on the other;
--      neighbours, and the user if at home: user, packed score, ..., a line each; packed scores of these on the
--      other, nil for each missing
--   3  names of neighbours, or of users without; nil for each missing
local board, before, names, is = KEYS[2], KEYS[3], KEYS[4], redis.call('HMGET', KEYS[1], 'is', 'fill')
local around, movement, found, fields = tonumber(ARGV[2]), ARGV[3] == '1', {}, {}
if is[1] ~= ARGV[1] or is[2] ~= '' then
  return redis.error_reply((is[1] or ARGV[1]) == ARGV[1] and 'FILLING' or 'STRANGE')
end
local function less(a, b) -- byte by byte, as Redis orders members; Lua's own < goes by the locale
  for i = 1, #a do
    if string.byte(a, i) ~= string.byte(b, i) then return string.byte(a, i) < (string.byte(b, i) or -1) end
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
for i = 4, #ARGV, 3 do
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
return {redis.call('ZCARD', board), found, #fields > 0 and redis.call('HMGET', names, unpack(fields)) or {}}
