-- Shared by the script that applies units, and prefixed to it: a user's places, and those of days that roll.
--
-- KEYS and
-- ARGV are the script's
-- Returns nothing, as the script continues
local SHORT = 3 -- result: ShowShort of contract.go

-- Returns the oldest last day of rolling periods that a slot keeps, and the newest; 0 and 0 for none
local function kept_days(days)
  local oldest, begun = string.match(days or '', '^(%d+) (%d+)')
  return tonumber(oldest or 0), tonumber(begun or 0)
end

-- Says whether a unit that has some days, from the first on, does not reach from the oldest that a slot keeps to the newest
local function is_short(first, days, oldest, begun)
  if first == '' or begun == 0 then return false end
  return tonumber(first) > oldest or first + days - 1 < begun
end

-- Puts the places of a user, hidden or not, of which each has two arguments: its board, and the packed score, '' for
-- none, after a t on a board of teams
local function place(user, first, last, hidden)
  for i = first, last, 2 do
    local board, packed = KEYS[tonumber(ARGV[i])], ARGV[i + 1]
    if string.sub(packed, 1, 1) == 't' then
      place_member(user, board, string.sub(packed, 2), hidden)
    elseif packed == '' then
      put('ZREM', board, user)
    else
      put('ZADD', board, packed, user)
    end
  end
end

-- Puts the places of some days, as many for each, of those that the slot keeps
local function place_days(user, first, day, days, daily, oldest, begun, hidden)
  for n = 0, days - 1 do
    local from = first + 2 * daily * n
    if oldest <= day + n and day + n <= begun then place(user, from, from + 2 * daily - 1, hidden) end
  end
end
