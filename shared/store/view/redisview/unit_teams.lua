-- Shared by the script that applies units, and prefixed to it: members' places on boards of teams, and the totals there.
--
-- KEYS and
-- ARGV are the script's
-- Returns nothing, as the script continues
local TICKS = 134217728 -- 2^27: of a packed score
local member_writes = {} -- by key: members by field, and differences of totals by field

-- Adds a member's place to differences of totals, or takes it from them: a packed score, with an h of a hidden member
local function count_member(totals, place, sign)
  local packed, hidden = string.match(place, '^(%-%d+)(h?)$')
  if not packed then return end
  local team = packed % TICKS
  local seen = team .. 'm'
  totals[team] = (totals[team] or 0) + sign * (team - packed) / TICKS
  if hidden == '' then totals[seen] = (totals[seen] or 0) + sign end
end

-- Puts the place of a member, '' for none, in place of the one that is kept
local function place_member(user, key, packed, hidden)
  local writes = member_writes[key] or {members = {}, totals = {}}
  local field = 'u' .. user
  local was = writes.members[field] or redis.call('HGET', key, field) or ''
  local now = packed
  if packed ~= '' and hidden == '1' then now = packed .. 'h' end
  if now == was then return end
  count_member(writes.totals, was, -1)
  count_member(writes.totals, now, 1)
  writes.members[field] = now
  member_writes[key] = writes
end

-- Writes places and totals, the latter first, as a full Redis refuses that. New boards are listed in the marker.
local function write_members(marker)
  for key, writes in pairs(member_writes) do
    for field, difference in pairs(writes.totals) do
      local total = redis.call('HINCRBY', key, field, string.format('%.0f', difference))
      if total == 0 then redis.call('HDEL', key, field) end
    end
    for field, place in pairs(writes.members) do
      if place == '' then
        redis.call('HDEL', key, field)
      elseif redis.call('HSET', key, field, place) == 1 then
        redis.call('HSETNX', marker, string.match(key, '}:(.*)'), '')
      end
    end
  end
end
