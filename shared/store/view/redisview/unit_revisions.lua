-- Shared by the script that applies units, and prefixed to it: a unit's revisions beside those that the view has seen.
--
-- KEYS and
-- ARGV are the script's
-- Returns nothing, as the script continues
local APPLIED, STALE, WHOLE = 0, 1, 2 -- results: ShowApplied, ShowStale and ShowWhole of contract.go
local WHOLE_MODE, CHANGED_MODE = '1', '2' -- the places of all live months; those alone that changed

-- Returns the result of a unit, and the revisions that it adds: hash, field and revision of each. Its revisions are in
-- some arguments, two for each: the revision, and the one before this write, '' if it is only checked. The first is
-- the person's.
local function compare(field, mode, hash, first, last)
  local result, added = APPLIED, {}
  for i = first, last, 2 do
    local key, revision, before = KEYS[hash + (i - first) / 2], ARGV[i], ARGV[i + 1]
    local seen = redis.call('HGET', key, field) or '0'
    local is_new = seen ~= revision
    local is_written = before ~= ''
    if tonumber(seen) > tonumber(revision) then return STALE end
    if is_new and i == first and mode ~= WHOLE_MODE then result = WHOLE end
    if is_written and seen ~= before and mode == CHANGED_MODE then result = WHOLE end
    if is_new and is_written then added[#added + 1] = {key, field, revision} end
  end
  return result, added
end
