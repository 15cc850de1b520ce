-- Takes an article off every list and gives it the page that stays of it, if its
-- page is still what was read. A page that was set before, as its version tells,
-- is not set again.
--
-- KEYS
--   1     hash  pages of articles
--   2     hash  the article's voters
--   3     zset  articles whose voters are kept
--   4     zset  articles that are on no list
--   5     hash  groups
--   6     zset  hot list of all articles
--   7     zset  new list of all articles
--   8 ..  zset  hot list and new list of each group that it leaves
-- ARGV
--   1     id
--   2     version of the page that was read
--   3     page
--   4     member of the lists
--   5     the moment, ms
--   6 ..  names of the groups that it leaves
-- Returns
--   DONE when it is off; else the page that is there, '' for none

local DONE = 1
local pages, voters, voting, gone, groups = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local id, version_read, page, member, moment = ARGV[1], ARGV[2], ARGV[3], ARGV[4], ARGV[5]
local first_list, first_group = 6, 6

local there = redis.call('HGET', pages, id) or ''
local version = string.sub(there, 1, 8)
if version == string.sub(page, 1, 8) then
  return DONE
end
if version ~= version_read then
  return there
end

redis.call('HSET', pages, id, page)
redis.call('DEL', voters)
redis.call('ZREM', voting, id)
redis.call('ZADD', gone, moment, id)
for i = first_list, #KEYS do
  redis.call('ZREM', KEYS[i], member)
end
for i = first_group, #ARGV do
  if redis.call('HINCRBY', groups, ARGV[i], -1) == 0 then
    redis.call('HDEL', groups, ARGV[i])
  end
end
return DONE
