-- Keeps copies of authors' profiles, each unless a newer one is there. A copy
-- begins with the number of its version.
--
-- KEYS
--   1  hash  copies of the authors' profiles
-- ARGV
--   1     ALL, or KNOWN for those alone of which a copy is there
--   2 ..  author and copy, in turn
-- Returns
--   DONE

local DONE = 1
local ALL = 'all'
local authors = KEYS[1]
local which = ARGV[1]

for i = 2, #ARGV, 2 do
  local author, copy = ARGV[i], ARGV[i + 1]
  local there = redis.call('HGET', authors, author)
  local version = tonumber(string.match(copy, '^%d+'))
  if (there and version >= tonumber(string.match(there, '^%d+'))) or (not there and which == ALL) then
    redis.call('HSET', authors, author, copy)
  end
end
return DONE
