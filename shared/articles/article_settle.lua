-- Drops the voters of an article, if its page is still what was read. A page that
-- was set before, as its version tells, is not set again.
--
-- KEYS
--   1  hash  pages of articles
--   2  hash  the article's voters
--   3  zset  articles whose voters are kept
-- ARGV
--   1  id
--   2  version of the page that was read
--   3  page
-- Returns
--   DONE when they are dropped; else the page that is there, '' for none

local DONE = 1
local pages, voters, voting = KEYS[1], KEYS[2], KEYS[3]
local id, version_read, page = ARGV[1], ARGV[2], ARGV[3]

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
return DONE
