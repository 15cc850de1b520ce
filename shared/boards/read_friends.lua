-- Reads a friends board of one shard: who of those a user follows, and of the user,
-- comes first on a board, with those who are not on it. Read-only.
--
-- KEYS
--   1  zset  the board
--   2  zset  whom the user follows
--   3  set   users who are hidden or excluded
--   4  hash  copies of profiles
-- ARGV
--   1  the user
--   2  limit: how many to read at the most, of either kind
--   3  the longest list that comes with copies
-- Returns
--   an empty array when the user is hidden or excluded; else
--   1  how many the user follows, without those who are hidden or excluded
--   2  those on the board, in its order, and after them the user if there: id,
--      packed score, place from 0, id, ...
--   3  those who are not, by id, if the others are fewer than the limit; without
--      the user
--   4  the era of copies, then those of the friends of 2, of those of 3, and of the
--      user, false for none; nothing for too many

local board, friends, away, profiles = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local user, limit, most = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])

if redis.call('SISMEMBER', away, user) == 1 then
  return {}
end

local on, off, ids, skip = {}, {}, {}, {}
local function enter(id)
  local n = #on
  on[n + 1], on[n + 2], on[n + 3] = id, redis.call('ZSCORE', board, id), redis.call('ZRANK', board, id)
end

-- All friends have the score 0, so the sums are the board's. Without them: to write
-- thousands of scores out takes Redis longer than to look for them.
local ranked = redis.call('ZINTER', 2, friends, board)
for i = 1, math.min(#ranked, limit) do
  enter(ranked[i])
  ids[i], skip[ranked[i]] = ranked[i], true
end
if redis.call('ZSCORE', board, user) then
  enter(user)
end

local total = redis.call('ZCARD', friends)
for _, id in ipairs(redis.call('ZINTER', 2, friends, away)) do
  if not redis.call('ZSCORE', board, id) then
    skip[id], total = true, total - 1
  end
end
local from, chunk = 0, {}
while #ranked < limit and #off < limit do
  chunk = redis.call('ZRANGE', friends, from, from + 99)
  for _, id in ipairs(chunk) do
    if not skip[id] and #off < limit then
      off[#off + 1], ids[#ids + 1] = id, id
    end
  end
  if #chunk < 100 then
    break
  end
  from = from + 100
end
ids[#ids + 1] = user
if #ids > most then
  return {total, on, off, {}}
end
return {total, on, off, redis.call('HMGET', profiles, '', unpack(ids))}
