-- Reads articles by their ids, with all that they show. Read-only.
--
-- KEYS
--   1  hash  pages of articles
--   2  hash  votes of articles
--   3  hash  copies of the authors' profiles
-- ARGV
--   1 ..  ids
-- Returns
--   for each an array of its id, page, votes and the copy of its author's profile,
--   false for what is missing

local pages, votes, authors = KEYS[1], KEYS[2], KEYS[3]
local author_at = 10 -- in a page, whose byte before is the author's length

local answer = {}
for i, id in ipairs(ARGV) do
  local page = redis.call('HGET', pages, id) or ''
  local author = string.sub(page, author_at, author_at - 1 + (string.byte(page, author_at - 1) or 0))
  answer[i] = {id, page, redis.call('HGET', votes, id), redis.call('HGET', authors, author)}
end
return answer
