-- Reads a piece of a board with its total and, when a user is named, where the
-- user is: in one go, so that the parts fit together. Read-only.
--
-- KEYS
--   1  zset  the board
--   2  zset  the board of the period before
-- ARGV
--   1  offset of the page, from 0
--   2  its length, 0 for no page
--   3  the user, '' for none
--   4  how many neighbours on each side
-- Returns
--   1  total
--   2  the page: user, packed score, user, ...
--   3  the user's place, from 0; -1 when not on the board
--   4  the place in the period before, likewise
--   5  place of the first neighbour
--   6  neighbours and the user, like the page, at least one before the user; of
--      a user who is not on the board: the last place

local board, before = KEYS[1], KEYS[2]
local offset, length = tonumber(ARGV[1]), tonumber(ARGV[2])
local user, around = ARGV[3], tonumber(ARGV[4])

local total = redis.call('ZCARD', board)
local page = {}
if length > 0 and offset < total then
  page = redis.call('ZRANGE', board, ARGV[1], string.format('%.0f', offset + length - 1), 'WITHSCORES')
end
if user == '' then
  return {total, page, -1, -1, 0, {}}
end

local place = redis.call('ZRANK', board, user)
local place_before = redis.call('ZRANK', before, user) or -1
if not place then
  return {total, page, -1, place_before, total - 1, redis.call('ZRANGE', board, -1, -1, 'WITHSCORES')}
end
local from = math.max(0, place - math.max(around, 1))
local near = redis.call('ZRANGE', board, from, place + around, 'WITHSCORES')
return {total, page, place, place_before, from, near}
