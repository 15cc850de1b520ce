-- Reads a user's places on boards and in indexes and the followed users, with the
-- version of the pages, to compare them with the pages. Read-only.
--
-- KEYS
--   1            hash    the user's pages
--   2            string  the closed-period set
--   3            zset    users whom the user follows
--   4 .. 3+m     set     indexes of users
--   4+m ..       zset    boards
-- ARGV
--   1  the user
--   2  m, the number of indexes
-- Returns
--   1  version of the pages, '' for none
--   2  version of the closed-period set, '' for none
--   3  for each index 1 if the user is in it, else 0
--   4  for each board the packed score, false if the user is not on it
--   5  users whom the user follows

local pages, closed, friends = KEYS[1], KEYS[2], KEYS[3]
local user, indexes = ARGV[1], tonumber(ARGV[2])

local indexed, scores = {}, {}
for i = 4, 3 + indexes do
  indexed[i - 3] = redis.call('SISMEMBER', KEYS[i], user)
end
for i = 4 + indexes, #KEYS do
  scores[i - 3 - indexes] = redis.call('ZSCORE', KEYS[i], user)
end
return {
  string.sub(redis.call('HGET', pages, 'v') or '', 1, 8), redis.call('GETRANGE', closed, 0, 7),
  indexed, scores, redis.call('ZRANGE', friends, 0, -1),
}
