-- Shared by scripts of a slot, and prefixed to them: the check of the slot.
--
-- KEYS and
-- ARGV are the script's: it hands in the slot's identity, the one that ARGV declares, and the slot's fill if that matters
-- Returns the error of another slot, or of one that is being filled; nil for the right one
local function refusal(is, declared, fill)
  if is == declared and (fill == nil or fill == '') then return nil end
  if is == declared or not is or is == '' then return redis.error_reply('FILLING') end
  return redis.error_reply('STRANGE')
end
