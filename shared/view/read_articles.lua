-- Reads a piece of a list of articles, or one article, with all that is shown of it. Read-only.
--
-- KEYS
--   hash marker, zset list, hash pages, hash votes, hash authors
-- ARGV
--   identity of the slot, offset from 0, how many, and the id of the one article, '' for a piece of the list
-- Returns an error for another slot, or one that is being filled; else the length of the list, then arrays of the
-- ids, of pages behind their line, of votes and of the authors' revisions and names, false for what is missing
local list, pages, votes, authors, is = KEYS[2], KEYS[3], KEYS[4], KEYS[5], redis.call('HMGET', KEYS[1], 'is', 'fill')
local offset, limit, id = tonumber(ARGV[2]), tonumber(ARGV[3]), ARGV[4]
local id_at = 12 -- in a member of a list
if is[1] ~= ARGV[1] or is[2] ~= '' then
  return redis.error_reply((is[1] or ARGV[1]) == ARGV[1] and 'FILLING' or 'STRANGE')
end
local total, ids = redis.call('ZCARD', list), {id}
if id == '' then
  local last = string.format('%.0f', offset + limit - 1)
  ids = limit > 0 and offset < total and redis.call('ZRANGE', list, ARGV[2], last) or {}
  for i, member in ipairs(ids) do ids[i] = string.sub(member, id_at) end
end
if #ids == 0 then return {total, {}, {}, {}, {}} end
local values, by = redis.call('HMGET', pages, unpack(ids)), {}
for i, value in ipairs(values) do
  by[i] = string.match(value or '', '^%d+\t[^\t]*\t[^\t]*\t[^\t]*\t[^\t]*\t([^\t\n]*)') or ''
end
return {total, ids, values, redis.call('HMGET', votes, unpack(ids)), redis.call('HMGET', authors, unpack(by))}
