-- Gives an article another page and moves it between groups, if its page is still
-- what was read. A page that was set before, as its version tells, is not set again.
--
-- KEYS
--   1     hash  pages of articles
--   2     hash  votes of articles
--   3     hash  groups
--   4 ..  zset  hot list and new list of each group that it joins, then leaves
-- ARGV
--   1     id
--   2     version of the page that was read
--   3     page
--   4     member of the lists
--   5     moment of publishing, ms
--   6     the part of its score that votes do not change, s
--   7     what a vote is worth, s
--   8     how many groups it joins
--   9 ..  names of the groups that it joins, then leaves
-- Returns
--   DONE when it is set; else the page that is there, '' for none

local DONE = 1
local pages, votes, groups = KEYS[1], KEYS[2], KEYS[3]
local id, version_read, page, member, published = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local seconds, vote_seconds, joins = tonumber(ARGV[6]), tonumber(ARGV[7]), tonumber(ARGV[8])
local first_group = 9

local there = redis.call('HGET', pages, id) or ''
local version = string.sub(there, 1, 8)
if version == string.sub(page, 1, 8) then
  return DONE
end
if version ~= version_read then
  return there
end

redis.call('HSET', pages, id, page)
local hot_score = string.format('%.0f', -(seconds + vote_seconds * redis.call('HGET', votes, id)))
for i = 0, #ARGV - first_group do
  local hot, new, name = KEYS[4 + 2 * i], KEYS[5 + 2 * i], ARGV[first_group + i]
  if i < joins then
    redis.call('ZADD', hot, hot_score, member)
    redis.call('ZADD', new, '-' .. published, member)
    redis.call('HINCRBY', groups, name, 1)
  else
    redis.call('ZREM', hot, member)
    redis.call('ZREM', new, member)
    if redis.call('HINCRBY', groups, name, -1) == 0 then
      redis.call('HDEL', groups, name)
    end
  end
end
return DONE
