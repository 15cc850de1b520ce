-- Reads a piece of a board with its total and, when a user is named, where the user is, and what they all are
-- called: at one moment, so that the parts fit together. Read-only.
--
-- KEYS
--   hash marker, zset board, zset board of the period before, hash names
-- ARGV
--   1, 2   identity of the slot; the user, '' for none
--   3, 4   offset of the page, from 0, and its length, 0 for no page
--   5      how many neighbours on each side
--   6      1 for the names too, else 0
--   7      what to read of all in the period before: ZRANK, ZSCORE, '' for the user's place alone, or - for nothing
-- Returns an error for another slot, or one that is being filled; else
--   1  total
--   2  the page: user, packed score, user, ..., a line each (no id has a line feed)
--   3  the user's place, from 0; -1 when not on the board
--   4  the place in the period before, likewise
--   5  place of the first neighbour
--   6  neighbours and the user, like the page, at least one before the user
--   7  names of those on the page, and in 6 with neighbours, else of the user; nil for each who has none
--   8  by ARGV 7 of those on the page, then in 6; nil for each who is not there
local board, before, names, user = KEYS[2], KEYS[3], KEYS[4], ARGV[2]
local offset, length, around, named = tonumber(ARGV[3]), tonumber(ARGV[4]), tonumber(ARGV[5]), ARGV[6] == '1'
local movement, fields, moved, is = #ARGV[7] > 1 and ARGV[7], {}, {}, redis.call('HMGET', KEYS[1], 'is', 'fill')
if is[1] ~= ARGV[1] or is[2] ~= '' then
  return redis.error_reply((is[1] or ARGV[1]) == ARGV[1] and 'FILLING' or 'STRANGE')
end
local function add(entries, shown)
  local n = #fields
  for i = 1, shown and #entries or 0, 2 do
    n = n + 1
    fields[n] = entries[i]
  end
  for i = 1, movement and #entries or 0, 2 do
    moved[#moved + 1] = redis.call(movement, before, entries[i])
  end
  return table.concat(entries, '\n')
end
local total, page, near, place, past, from = redis.call('ZCARD', board), '', '', -1, -1, 0
if length > 0 and offset < total then
  page = add(redis.call('ZRANGE', board, ARGV[3], string.format('%.0f', offset + length - 1), 'WITHSCORES'), named)
end
if user ~= '' then
  place, past = redis.call('ZRANK', board, user) or -1, ARGV[7] ~= '-' and redis.call('ZRANK', before, user) or -1
  from = math.max(0, place - math.max(around, 1))
  near = place >= 0 and redis.call('ZRANGE', board, from, place + around, 'WITHSCORES') or {}
  near = add(near, named and around > 0)
  fields[#fields + 1] = named and (around == 0 or place < 0) and user or nil
end
return {total, page, place, past, from, near, #fields > 0 and redis.call('HMGET', names, unpack(fields)) or {}, moved}
