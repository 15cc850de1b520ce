-- Reads a friends board of one shard: who of those a user follows comes first on a
-- board, with the user and those who are not on it. Read-only.
--
-- KEYS
--   1  zset  the board
--   2  zset  whom the user follows
--   3  set   users who are suppressed
--   4  hash  copies of profiles
-- ARGV
--   1  the user
--   2  limit: how many to read at the most, of either kind
--   3  the longest list that comes with copies
-- Returns
--   an empty array when the user is suppressed; else
--   1  how many the user follows, without suppressed ones
--   2  those on the board, in its order, and after them the user if there, each an
--      array of id, packed score and place from 0
--   3  those who are not, by id, if the others are fewer than the limit; not the user
--   4  how many friends are before the user, and the packed score of the last of them
--   5  the generation of copies, then those of the friends of 2, of those of 3, and of
--      the user, false for none; the generation alone for too many

local board, friends, suppressed, profiles = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local user, limit, most = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
if redis.call('SISMEMBER', suppressed, user) == 1 then return {} end
local on, off, ids, skip, place, ahead = {}, {}, {''}, {}, redis.call('ZRANK', board, user), 0
-- All friends have the score 0, so the sums are the board's, and written out take long.
local ranked = redis.call('ZINTER', 2, friends, board)
local at, n = {}, 1 -- The embedded store's are in the order of ids.
while n < #ranked and ranked[n] < ranked[n + 1] do n = n + 1 end
for i = 1, n == #ranked and n or 0 do at[ranked[i]] = redis.call('ZRANK', board, ranked[i]) end
if n == #ranked then table.sort(ranked, function(a, b) return at[a] < at[b] end) end
for i = 1, math.min(#ranked, limit) do
  ids[i + 1], on[i], skip[ranked[i]] = ranked[i], ranked[i], true
end
for bit = place and 20 or -1, 0, -1 do
  local to = ranked[ahead + 2 ^ bit]
  ahead = to and redis.call('ZRANK', board, to) < place and ahead + 2 ^ bit or ahead
end
on[#on + 1] = place and user or nil
local all, total = redis.call('ZCARD', friends), redis.call('ZCARD', friends)
for _, id in ipairs(redis.call('ZINTER', 2, friends, suppressed)) do
  if not redis.call('ZSCORE', board, id) then
    skip[id], total = true, total - 1
  end
end
for _, id in ipairs(#ranked < limit and redis.call('ZRANGE', friends, 0, limit + #ranked + all - total) or {}) do
  if not skip[id] and #off < limit then
    off[#off + 1], ids[#ids + 1] = id, id
  end
end
ids[#ids + 1] = user
for i, id in ipairs(on) do on[i] = {id, redis.call('ZSCORE', board, id), redis.call('ZRANK', board, id)} end
local before = {ahead, ahead > 0 and redis.call('ZSCORE', board, ranked[ahead])}
return {total, on, off, before, redis.call('HMGET', profiles, unpack(ids, 1, #ids - 1 <= most and #ids or 1))}
