-- Shared by scripts of a slot, and prefixed to them: the check of the slot, and of a board in it.
--
-- KEYS and
-- ARGV are the script's: it hands in the slot's identity, the one that ARGV declares, and the slot's fill if that matters
-- Returns the error of another slot, or of one that is being filled; nil for the right one
local function refusal(is, declared, fill)
  if is == declared and (fill == nil or fill == '') then return nil end
  if is == declared or not is or is == '' then return redis.error_reply('FILLING') end
  return redis.error_reply('STRANGE')
end

-- Says whether a list, whose parts have blanks between them, has a part
local function lists(all, part)
  return string.find(' ' .. all .. ' ', ' ' .. part .. ' ', 1, true) ~= nil
end

-- Returns the error of a board that is not whole, by the list of those that are, or of a rolling period whose last day
-- is not, by the days of the slot; nil for one that is whole. '' is any board, and no day
local function lack(kept, wanted, days, day)
  if wanted ~= '' and not lists(kept or '', wanted) then return redis.error_reply('UNREADY') end
  if day == '' then return nil end
  local oldest, whole = string.match(days or '', '^(%d+) %d+ (%d+)')
  if oldest and tonumber(oldest) <= tonumber(day) and tonumber(day) <= tonumber(whole) then return nil end
  return redis.error_reply('UNREADY ' .. (oldest or 0) .. ' ' .. (whole or 0))
end
