-- Keeps copies of authors' profiles, each unless a newer one is there. A copy
-- begins with the number of its version. Of who has no article none is kept: an
-- author who was erased since the profile was read has none any more.
--
-- KEYS
--   1     hash  copies of the authors' profiles
--   2 ..  set   articles of each author
-- ARGV
--   1     ALL, or KNOWN for those alone of which a copy is there
--   2 ..  author and copy, in turn
-- Returns
--   DONE

local DONE = 1
local ALL = 'all'
local authors = KEYS[1]
local which = ARGV[1]

local function set(author, copy)
  if type(redis.pcall('HSET', authors, author, copy)) == 'table' then
    redis.call('HDEL', authors, author) -- Redis is full: rather no copy than an old one
  end
end

for i = 2, #KEYS do
  local author, copy = ARGV[2 * i - 2], ARGV[2 * i - 1]
  local there = redis.call('HGET', authors, author)
  local version = tonumber(string.match(copy, '^%d+'))
  if there then
    if version >= tonumber(string.match(there, '^%d+')) then
      set(author, copy)
    end
  elseif which == ALL and redis.call('EXISTS', KEYS[i]) == 1 then
    set(author, copy)
  end
end
return DONE
