-- Removes what is left of an article that is on no list, if its page is still what
-- was read; with an author's last one the copy of the profile.
--
-- KEYS
--   1  hash  pages of articles
--   2  hash  votes of articles
--   3  hash  their authors
--   4  zset  articles that are on no list
--   5  set   articles of the author
--   6  hash  copies of the authors' profiles
-- ARGV
--   1  id
--   2  version of the page that was read
--   3  the author
-- Returns
--   DONE when it is removed or was before, CHANGED when its page is another

local DONE = 1
local CHANGED = 0
local pages, votes, wrote = KEYS[1], KEYS[2], KEYS[3]
local gone, authored, authors = KEYS[4], KEYS[5], KEYS[6]
local id, version_read, author = ARGV[1], ARGV[2], ARGV[3]

local there = redis.call('HGET', pages, id)
if not there then
  return DONE
end
if string.sub(there, 1, 8) ~= version_read then
  return CHANGED
end
redis.call('HDEL', pages, id)
redis.call('HDEL', votes, id)
redis.call('HDEL', wrote, id)
redis.call('ZREM', gone, id)
redis.call('SREM', authored, id)
if redis.call('EXISTS', authored) == 0 then
  redis.call('HDEL', authors, author)
end
return DONE
