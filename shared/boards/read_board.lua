-- Reads a piece of a board with its total and, when a user is named, where the user
-- is, and what they all are called: at one moment, so that the parts fit together.
-- Read-only.
--
-- KEYS
--   1  zset  the board
--   2  zset  the board of the period before
--   3  hash  copies of profiles
-- ARGV
--   1  offset of the page, from 0
--   2  its length, 0 for no page
--   3  the user, '' for none
--   4  how many neighbours on each side
--   5  1 for the copies of profiles too, 0 for their generation alone
--   6  what to read of all in the period before: ZRANK, ZSCORE, '' for the user's place
--      alone, or - for nothing
-- Returns
--   1  total
--   2  the page: user, packed score, user, ..., a line each (no id has a line feed)
--   3  the user's place, from 0; -1 when not on the board
--   4  the place in the period before, likewise
--   5  place of the first neighbour
--   6  neighbours and the user, like the page, at least one before the user
--   7  the generation of the copies, then those of the users on the page, and in 6 with
--      neighbours, else of the user named; nil for each that is missing
--   8  by ARGV 6 of those on the page, then in 6; nil for each who is not there

local board, before, profiles = KEYS[1], KEYS[2], KEYS[3]
local offset, length, user, around = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3], tonumber(ARGV[4])
local named, movement, fields, moved = ARGV[5] == '1', #ARGV[6] > 1 and ARGV[6], {''}, {}

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
  page = add(redis.call('ZRANGE', board, ARGV[1], string.format('%.0f', offset + length - 1), 'WITHSCORES'), named)
end
if user ~= '' then
  place, past = redis.call('ZRANK', board, user) or -1, ARGV[6] ~= '-' and redis.call('ZRANK', before, user) or -1
  from = math.max(0, place - math.max(around, 1))
  near = place >= 0 and redis.call('ZRANGE', board, from, place + around, 'WITHSCORES') or {}
  near = add(near, named and around > 0)
  fields[#fields + 1] = named and (around == 0 or place < 0) and user or nil
end
return {total, page, place, past, from, near, redis.call('HMGET', profiles, unpack(fields)), moved}
