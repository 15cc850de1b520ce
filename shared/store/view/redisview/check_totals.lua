-- Compares the totals of a board of teams in a shard with the places of its members, at one time, and corrects them.
-- After slot.lua and unit_teams.lua.
--
-- KEYS
--   hash marker, hash board
-- ARGV
--   identity of the slot, the number of teams, 1 to correct (else 0)
-- Returns an error for another slot; else the number of totals that differed
local marker, board = KEYS[1], KEYS[2]
local identity, teams, corrects = ARGV[1], tonumber(ARGV[2]), ARGV[3] == '1'
local refused = refusal(redis.call('HGET', marker, 'is'), identity)
if refused then return refused end
local kept, wanted, differ = {}, {}, 0
local all = redis.call('HGETALL', board)
for i = 1, #all, 2 do
  if string.sub(all[i], 1, 1) == 'u' then
    count_member(wanted, all[i + 1], 1)
  else
    kept[all[i]] = all[i + 1]
  end
end

local function compare(field, total)
  if (kept[field] or '0') == string.format('%.0f', total) then return end
  differ = differ + 1
  if not corrects then return end
  if total == 0 then
    redis.call('HDEL', board, field)
  else
    redis.call('HSET', board, field, string.format('%.0f', total))
  end
end

for team = 1, teams do
  compare(tostring(team), wanted[team] or 0)
  compare(team .. 'm', wanted[team .. 'm'] or 0)
end
return differ
