-- Reads a piece of a list of articles, with all that it shows. Read-only.
--
-- KEYS
--   1  zset  the list
--   2  hash  pages of articles
--   3  hash  votes of articles
--   4  hash  copies of the authors' profiles
-- ARGV
--   1  offset, from 0
--   2  how many, at least 1
-- Returns
--   how many are on the list, then for each article an array of its id, page,
--   votes and the copy of its author's profile, false for what is missing

local list, pages, votes, authors = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local offset, limit = tonumber(ARGV[1]), tonumber(ARGV[2])
local id_at, author_at = 12, 10 -- in a member and in a page, whose byte before is the author's length

local total = redis.call('ZCARD', list)
local answer = {total}
if offset >= total then
  return answer
end
local last = string.format('%.0f', offset + limit - 1)
for _, member in ipairs(redis.call('ZRANGE', list, ARGV[1], last)) do
  local id = string.sub(member, id_at)
  local page = redis.call('HGET', pages, id) or ''
  local author = string.sub(page, author_at, author_at - 1 + (string.byte(page, author_at - 1) or 0))
  table.insert(answer, {id, page, redis.call('HGET', votes, id), redis.call('HGET', authors, author)})
end
return answer
