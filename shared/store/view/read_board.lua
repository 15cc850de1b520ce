-- Reads, at one moment, a piece of a shard's part of a board, the neighbours of any shard's users, and names. Read-only.
--
-- KEYS
--   hash marker, zset board, zset board of the period before, hash names
-- ARGV
--   1 .. 3  identity of the slot; offset of the piece, from 0, and its length
--   4, 5    1 for names of those in the piece; the command for users' places in the period before: ZRANK, ZSCORE or ''
--   6 ..    of each user id, both packed scores, '' for none, ? for those here, how many neighbours, 0: the one before
-- Returns an error for another slot, or one that is being filled; else total; the piece: user, packed score, user, ...,
--   a line each (no id has a line feed); for each user both packed scores, '' for none, how many are before here on
--   both boards, and the neighbours, with the user if at home, like the piece; names of those in the piece, then for
--   each user of the neighbours, or of the user if there are none, nil for none; by ARGV 5 of who is shown, likewise
local call, board, before, names, is = redis.call, KEYS[2], KEYS[3], KEYS[4], redis.call('HMGET', KEYS[1], 'is', 'fill')
local offset, length, found, fields, moved, piece = tonumber(ARGV[2]), tonumber(ARGV[3]), {}, {}, {}, {}
local users, scores = {}, {} -- of those who are here, in one call for each board
if is[1] ~= ARGV[1] or is[2] ~= '' then
  return redis.error_reply((is[1] or ARGV[1]) == ARGV[1] and 'FILLING' or 'STRANGE')
end
local function show(entries, named)
  local n = #fields -- as looking for the end each time takes a third of a page
  for i = 1, named and #entries or 0, 2 do fields[n + (i + 1) / 2] = entries[i] end
  for i = 1, ARGV[5] ~= '' and #entries or 0, 2 do moved[#moved + 1] = call(ARGV[5], before, entries[i]) end
end
local function less(a, b) -- byte by byte, as Redis orders members; Lua's own < goes by the locale
  local i = 1
  while i <= #a and string.byte(a, i) == string.byte(b, i) do i = i + 1 end
  return (string.byte(a, i) or -1) < (string.byte(b, i) or -1)
end
local function find(key, score, user, n) -- the score, and how many are before
  local own = score == '?' and scores[key][n]
  if score == '?' then return own or '', own and call('ZRANK', key, user) or 0 end
  local low = score == '' and 0 or call('ZCOUNT', key, '-inf', '(' .. score)
  local high = score == '' and 0 or call('ZCOUNT', key, '-inf', score)
  while low < high do
    local middle = math.floor((low + high) / 2)
    local right = less(call('ZRANGE', key, middle, middle)[1], user)
    low, high = right and middle + 1 or low, right and high or middle
  end
  return score, low
end
local total, last = call('ZCARD', board), string.format('%.0f', offset + length - 1)
if length > 0 and offset < total then piece = call('ZRANGE', board, ARGV[2], last, 'WITHSCORES') end
show(piece, ARGV[4] == '1')
for i = 6, #ARGV, 4 do users[#users + 1] = ARGV[i] end
for i = 2, #users > 0 and 3 or 0 do scores[KEYS[i]] = call('ZMSCORE', KEYS[i], unpack(users)) end
for i = 6, #ARGV, 4 do
  local user, around = ARGV[i], tonumber(ARGV[i + 3])
  local packed, count = find(board, ARGV[i + 1], user, #found + 1)
  local past, earlier = find(before, ARGV[i + 2], user, #found + 1)
  local from = math.max(0, count - math.max(around, 1))
  local near = packed == '' and {} or call('ZRANGE', board, from, count + around, 'WITHSCORES')
  if around > 0 and #near > 0 then show(near, true) else fields[#fields + 1] = user end
  found[#found + 1] = {packed, past, count, earlier, table.concat(near, '\n')}
end
return {total, table.concat(piece, '\n'), found, #fields > 0 and call('HMGET', names, unpack(fields)) or {}, moved}
