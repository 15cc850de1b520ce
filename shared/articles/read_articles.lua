-- Reads a piece of a list of articles, or one article, with all that is shown of it.
-- Read-only.
--
-- KEYS
--   1  zset  the list
--   2  hash  pages of articles
--   3  hash  votes of articles
--   4  hash  their authors
--   5  hash  copies of the authors' profiles
-- ARGV
--   1  offset, from 0
--   2  how many, at least 1
--   3  id of the one article, '' for a piece of the list
-- Returns
--   how many are on the list, then arrays of the ids, pages, votes and copies of the
--   authors' profiles, false for what is missing, and the mark of the stamp

local list, pages, votes, wrote, authors = KEYS[1], KEYS[2], KEYS[3], KEYS[4], KEYS[5]
local offset, limit, id = tonumber(ARGV[1]), tonumber(ARGV[2]), ARGV[3]
local id_at = 12 -- in a member of a list

local total, ids, mark = redis.call('ZCARD', list), {id}, redis.call('HGET', pages, '\0')
if id == '' then
  ids = offset < total and redis.call('ZRANGE', list, ARGV[1], string.format('%.0f', offset + limit - 1)) or {}
  for i, member in ipairs(ids) do
    ids[i] = string.sub(member, id_at)
  end
end
if #ids == 0 then
  return {total, {}, {}, {}, {}, mark}
end
local by = redis.call('HMGET', wrote, unpack(ids))
for i, author in ipairs(by) do
  by[i] = author or ''
end
return {
  total, ids, redis.call('HMGET', pages, unpack(ids)), redis.call('HMGET', votes, unpack(ids)),
  redis.call('HMGET', authors, unpack(by)), mark,
}
