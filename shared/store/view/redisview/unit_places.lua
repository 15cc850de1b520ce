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

-- Says whether the days of a unit, 0 for none, do not reach from the oldest that a slot keeps to the newest
local function is_short(first, last, oldest, begun)
  if first == '0' or begun == 0 then return false end
  return tonumber(first) > oldest or tonumber(last) < begun
end

-- Puts the place of a user, hidden or not: some argument is the index of its board, the next one the packed score, ''
-- for none, after a t on a board of teams
local function place(user, i, hidden)
  local board, packed = KEYS[tonumber(ARGV[i])], ARGV[i + 1]
  if string.sub(packed, 1, 1) == 't' then
    place_member(user, board, string.sub(packed, 2), hidden)
  elseif packed == '' then
    put('ZREM', board, user)
  else
    put('ZADD', board, packed, user)
  end
end

-- Puts the places in some arguments, two for each
local function place_all(user, first, last, hidden)
  for i = first, last, 2 do
    place(user, i, hidden)
  end
end

-- Puts those of days that the slot keeps, three for each: the third is the day
local function place_days(user, first, last, oldest, begun, hidden)
  for i = first, last, 3 do
    local day = tonumber(ARGV[i + 2])
    if oldest <= day and day <= begun then place(user, i, hidden) end
  end
end
