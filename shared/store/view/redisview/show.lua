-- Applies units: the places of users on the boards of a shard. Users seen with a later revision are left out. After
-- slot.lua, unit_revisions.lua, unit_writes.lua, unit_teams.lua and unit_places.lua.
-- KEYS
--   hash marker, hash names, set suppressed, then hashes of seen revisions, zsets of boards and hashes of those of
--   teams, by their index below
-- ARGV
--   identity of the slot; Life.Number that the units were read with; the boards of the caller; of each user: id, field
--   of its revision, mode (ALL, WHOLE, CHANGED), 1 for suppressed, + and the name to be set, - if it goes, else '', the
--   first hash, how many revisions and places, the first of the days that roll, the last, 0 for none, and how many places
--   on them; of each revision, each in the next hash, it and the one before this write, '' if it is only checked: the
--   person's, then those of months; of each place board and packed score, '' for none, after a t on a board of teams,
--   those that roll last, each with its day
-- Returns for each user 0 for applied, 1 for stale, 2 if all live months are needed, 3 for days that do not reach; then
--   the oldest day that the slot keeps and the newest, 0 for none; an error for another slot
local marker, names, suppressed = KEYS[1], KEYS[2], KEYS[3]
local identity, life, boards = ARGV[1], tonumber(ARGV[2]), ARGV[3]
local is = redis.call('HMGET', marker, 'is', 'life', 'asks', 'keeps', 'days')
local refused = refusal(is[1], identity)
if refused then return refused end
local seen_life, oldest, begun = tonumber(is[2] or 0), kept_days(is[5])
if (is[3] or '') ~= boards then keep_both(marker, is[4] or '', boards) end

local function set_name(user, name)
  if name == '-' then
    put('HDEL', names, user)
  elseif name ~= '' then
    put('HSET', names, user, string.sub(name, 2))
  end
end

local results, seen, i = {}, {}, 4
while i <= #ARGV do
  local user, field, mode, hidden, name, hash, revisions, places, from, to, days = unpack(ARGV, i, i + 10)
  local first = i + 11
  local middle = first + 2 * revisions
  local rolling = middle + 2 * places
  i = rolling + 3 * days
  local result, added = STALE, nil
  if seen_life <= life then result, added = compare(field, mode, hash, first, middle - 1) end
  if result == APPLIED and is_short(from, to, oldest, begun) then result = SHORT end
  if result == APPLIED then
    place_all(user, middle, rolling - 1, hidden)
    place_days(user, rolling, i - 1, oldest, begun, hidden)
    set_name(user, name)
    if mode ~= CHANGED_MODE then put(SUPPRESSION[hidden], suppressed, user) end
    seen[#seen + 1] = added
  end
  results[#results + 1] = result
end
write_members(marker)
write_all(marker, seen)
if seen_life < life then redis.call('HSET', marker, 'life', life) end
results[#results + 1] = oldest
results[#results + 1] = begun
return results
