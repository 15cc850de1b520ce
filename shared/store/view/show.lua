-- Applies units: the places of users on the boards of a shard. Users seen with a later revision are left out. After
-- slot.lua, unit_revisions.lua and unit_writes.lua.
-- KEYS
--   hash marker, hash names, set suppressed, then hashes of seen revisions and zsets of boards, by their index below
-- ARGV
--   identity of the slot; Life.Number that the units were read with; the boards of the caller; of each user: id, field of its revision, mode
--   (ALL, WHOLE, CHANGED), 1 for suppressed, + and the name to be set, - if it goes, else '', the first hash, how many
--   revisions and places; of each revision, each in the next hash, it and the one before this write, '' if it is only
--   checked: the person's, then those of months; of each place board and packed score, '' for none
-- Returns for each user 0 for applied, 1 for stale, 2 if all live months are needed; an error for another slot
local marker, names, suppressed = KEYS[1], KEYS[2], KEYS[3]
local identity, life, boards = ARGV[1], tonumber(ARGV[2]), ARGV[3]
local is = redis.call('HMGET', marker, 'is', 'life', 'asks', 'keeps')
local refused = refusal(is[1], identity)
if refused then return refused end
local seen_life = tonumber(is[2] or 0)
if (is[3] or '') ~= boards then keep_both(marker, is[4] or '', boards) end

local function place(user, first, last)
  for i = first, last, 2 do
    local board, packed = KEYS[tonumber(ARGV[i])], ARGV[i + 1]
    if packed == '' then
      put('ZREM', board, user)
    else
      put('ZADD', board, packed, user)
    end
  end
end

local function set_name(user, name)
  if name == '-' then
    put('HDEL', names, user)
  elseif name ~= '' then
    put('HSET', names, user, string.sub(name, 2))
  end
end

local results, seen, i = {}, {}, 4
while i <= #ARGV do
  local user, field, mode, hidden, name, hash, revisions, places = unpack(ARGV, i, i + 7)
  local first = i + 8
  local middle = first + 2 * revisions
  i = middle + 2 * places
  local result, added = STALE, nil
  if seen_life <= life then result, added = compare(field, mode, hash, first, middle - 1) end
  if result == APPLIED then
    place(user, middle, i - 1)
    set_name(user, name)
    if mode ~= CHANGED_MODE then put(SUPPRESSION[hidden], suppressed, user) end
    seen[#seen + 1] = added
  end
  results[#results + 1] = result
end
write_all(marker, seen)
if seen_life < life then redis.call('HSET', marker, 'life', life) end
return results
