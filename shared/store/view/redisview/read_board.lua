-- Reads at one time a piece of a board in a shard, neighbours of users, and names. Read-only. After slot.lua and
-- board_search.lua.
-- KEYS
--   hash marker, zset board, zset board of the period before, hash names
-- ARGV
--   1 .. 5  identity of the slot; the board as the list of whole ones has it; the last day if it rolls; offset of the piece, its length
--   6, 7    1 for names of those in the piece; the command for users' places in the period before: ZRANK, ZSCORE or ''
--   8 ..    of each user id, both packed scores, '' for none, ? for those here, how many neighbours, 0: the one before
-- Returns an error for another slot, or one that is being filled; else total; the piece: user, packed score, user, ...,
--   a line each (no id has a line feed); for each user both packed scores, '' for none, how many are before here on
--   both boards, and the neighbours, with the user if at home, like the piece; names of those in the piece, then for
--   each user of the neighbours, or of the user if there are none, nil for none; by ARGV 7 of who is shown, likewise
local marker, board, past_board, names = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local identity, wanted, day, offset, length, command = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), tonumber(ARGV[5]), ARGV[7]
local is = redis.call('HMGET', marker, 'is', 'fill', 'keeps', 'days')
local refused = refusal(is[1], identity, is[2]) or lack(is[3], wanted, is[4], day)
if refused then return refused end

local fields, named, moved = {}, 0, {} -- users whose names are read, and how many they are: #fields takes long

local function show(entries, with_names)
  for i = 1, #entries, 2 do
    if with_names then
      named = named + 1
      fields[named] = entries[i]
    end
    if command ~= '' then moved[#moved + 1] = redis.call(command, past_board, entries[i]) end
  end
end

local total, piece = redis.call('ZCARD', board), {}
if length > 0 and offset < total then
  local last = string.format('%.0f', offset + length - 1)
  piece = redis.call('ZRANGE', board, ARGV[4], last, 'WITHSCORES')
end
show(piece, ARGV[6] == '1')
local users, scores, past_scores, found, found_names = {}, {}, {}, {}, {}
for i = 8, #ARGV, 4 do
  users[#users + 1] = ARGV[i]
end
if #users > 0 then
  scores = redis.call('ZMSCORE', board, unpack(users))
  past_scores = redis.call('ZMSCORE', past_board, unpack(users))
end
for n, user in ipairs(users) do
  local sent, sent_past, count = unpack(ARGV, 4 * n + 5, 4 * n + 7)
  local around = tonumber(count)
  local packed, before = find(board, sent, scores[n], user)
  local past, past_before = find(past_board, sent_past, past_scores[n], user)
  local near = neighbours(board, packed, before, around)
  if around > 0 and #near > 0 then
    show(near, true)
  else
    named = named + 1
    fields[named] = user
  end
  found[n] = {packed, past, before, past_before, table.concat(near, '\n')}
end
if named > 0 then found_names = redis.call('HMGET', names, unpack(fields)) end
return {total, table.concat(piece, '\n'), found, found_names, moved}
