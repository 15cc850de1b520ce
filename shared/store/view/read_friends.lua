-- Reads where users, mostly friends, are on a board, in one shard. Read-only.
--
-- KEYS
--   hash marker, zset board, set suppressed, hash names
-- ARGV
--   identity of the slot, number of the first places whose names are read, 1 for names of users who are not
--   on it, too (else 0), then users
-- Returns an error for another slot, or one that is being filled; else
--   1  packed scores, '' for a user who is not on the board
--   2  places on it, from 0; -1 for a user who is not, -2 for a suppressed one
--   3  users and names in turn, of those who have one
local board, suppressed, names, most = KEYS[2], KEYS[3], KEYS[4], tonumber(ARGV[2])
local is, users, scores, places = redis.call('HMGET', KEYS[1], 'is', 'fill'), {}, {}, {}
local order, at, named, fields = {}, {}, {}, {}
if is[1] ~= ARGV[1] or is[2] ~= '' then
  return redis.error_reply((is[1] or ARGV[1]) == ARGV[1] and 'FILLING' or 'STRANGE')
end
for i = 4, #ARGV do users[i - 3] = ARGV[i] end
for i, user in ipairs(users) do
  local place = redis.call('ZRANK', board, user)
  scores[i], places[i] = place and redis.call('ZSCORE', board, user) or '', place or -1
  if place then
    order[#order + 1], at[place] = place, user
  elseif redis.call('SISMEMBER', suppressed, user) == 1 then
    places[i] = -2
  elseif ARGV[3] == '1' then
    fields[#fields + 1] = user
  end
end
table.sort(order)
for i = 1, math.min(most, #order) do fields[#fields + 1] = at[order[i]] end
for i, name in ipairs(#fields > 0 and redis.call('HMGET', names, unpack(fields)) or {}) do
  if name then
    named[#named + 1] = fields[i]
    named[#named + 1] = name
  end
end
return {scores, places, named}
