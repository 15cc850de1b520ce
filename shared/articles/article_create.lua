-- Creates an article, unless its id has a page already.
--
-- KEYS
--   1     hash  pages of articles
--   2     hash  votes of articles
--   3     zset  articles whose voters are kept
--   4     set   articles of the author
--   5     hash  groups
--   6     zset  hot list of all articles
--   7     zset  new list of all articles
--   8 ..  zset  hot list and new list of each group
-- ARGV
--   1     id
--   2     page
--   3     votes it starts with
--   4     member of the lists
--   5     moment of publishing, ms
--   6     score in hot lists
--   7 ..  names of the groups
-- Returns
--   DONE when it is created; else an array of its page and its votes

local DONE = 1
local pages, votes, voting, authored, groups = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local id, page, own_votes, member = ARGV[1], ARGV[2], ARGV[3], ARGV[4]
local published, hot_score = ARGV[5], ARGV[6]
local first_list, first_group = 6, 7

if redis.call('HSETNX', pages, id, page) == 0 then
  return {redis.call('HGET', pages, id), redis.call('HGET', votes, id)}
end
redis.call('HSET', votes, id, own_votes)
redis.call('ZADD', voting, published, id)
redis.call('SADD', authored, id)
for i = first_list, #KEYS, 2 do
  redis.call('ZADD', KEYS[i], hot_score, member)
  redis.call('ZADD', KEYS[i + 1], '-' .. published, member)
end
for i = first_group, #ARGV do
  redis.call('HINCRBY', groups, ARGV[i], 1)
end
return DONE
