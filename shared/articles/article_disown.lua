-- Gives an article a page without its author, and forgets what is known of the
-- author, if its page is still what was read.
--
-- KEYS
--   1  hash  pages of articles
--   2  set   articles of the author
--   3  hash  copies of the authors' profiles
-- ARGV
--   1  id
--   2  version of the page that was read
--   3  page
--   4  the author
-- Returns
--   DONE when it is set; else the page that is there, '' for none

local DONE = 1
local pages, authored, authors = KEYS[1], KEYS[2], KEYS[3]
local id, version_read, page, author = ARGV[1], ARGV[2], ARGV[3], ARGV[4]

local there = redis.call('HGET', pages, id) or ''
local version = string.sub(there, 1, 8)
if version ~= version_read and version ~= string.sub(page, 1, 8) then
  return there
end
redis.call('HSET', pages, id, page)
redis.call('SREM', authored, id)
redis.call('HDEL', authors, author)
return DONE
