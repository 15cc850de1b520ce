-- Applies units: what users' items say for the boards of a shard. Who was seen with a later revision is left out.
--
-- KEYS
--   hash marker, hash names, set suppressed, then hashes of what was seen and zsets of boards, by their index below
-- ARGV
--   identity of the slot; Life.Number that the units were read with; of each user: id, field of what was seen, mode
--   (ALL, WHOLE or CHANGED), 1 for suppressed, name to be set, '' for none, 1 if the name goes, how many revisions and
--   how many places; of each revision hash, revision, and the one before this write: first the person's, then those of
--   months, and with '' those of others, which are only checked; of each place board and packed score, '' for none
-- Returns for each user 0 for applied, 1 for stale, 2 if all live months are needed, 3 if all places are, as the view
--   has not seen what was before this write; an error for another slot
local APPLIED, STALE, WHOLE, ALL, call, keys, args = 0, 1, 2, 3, redis.call, KEYS, ARGV
local WHOLE_MODE, CHANGED_MODE = '1', '2' -- WHOLE: the places of all live months; CHANGED: those alone that changed
local is, life, i, results = call('HMGET', keys[1], 'is', 'life'), tonumber(args[2]), 3, {}
if is[1] ~= args[1] then return redis.error_reply((is[1] or '') == '' and 'FILLING' or 'STRANGE') end
local kinds, commands = {'ZADD', 'HSET', 'SADD', 'ZREM', 'HDEL', 'SREM', 'SEEN'}, {} -- first what a full Redis refuses
local function put(kind, k, a, b)
  local of = commands[kind] or {}
  local c = of[k] or {kind == 'SEEN' and 'HSET' or kind, keys[k]}
  c[#c + 1], of[k], commands[kind] = a, c, of
  c[#c + 1] = b
end
local late = tonumber(is[2] or 0) > life
while i <= #args do
  local user, field, mode, hidden, name, unnamed, revisions, places = unpack(args, i, i + 7)
  local first, same, stale, new = i + 8, true, late, {}
  local middle = first + 3 * revisions
  i = middle + 2 * places
  for at = first, middle - 1, 3 do
    local seen, revision, before = call('HGET', keys[tonumber(args[at])], field) or '0', args[at + 1], args[at + 2]
    stale = stale or seen ~= revision and tonumber(seen) > tonumber(revision)
    same = same and (seen == before or before == '')
    new[#new + 1] = seen ~= revision and before ~= '' and at or nil
  end
  local whole, all = new[1] == first and mode ~= WHOLE_MODE, not same and mode == CHANGED_MODE
  results[#results + 1] = stale and STALE or whole and WHOLE or all and ALL or APPLIED
  if results[#results] == APPLIED then
    for _, at in ipairs(new) do put('SEEN', tonumber(args[at]), field, args[at + 1]) end
    for at = middle, i - 1, 2 do
      local k, packed = tonumber(args[at]), args[at + 1]
      if packed == '' then put('ZREM', k, user) else put('ZADD', k, packed, user) end
    end
    if name ~= '' then put('HSET', 2, user, name) elseif unnamed == '1' then put('HDEL', 2, user) end
    if mode ~= CHANGED_MODE then put(hidden == '1' and 'SADD' or 'SREM', 3, user) end
  end
end
for _, kind in ipairs(kinds) do
  for _, c in pairs(commands[kind] or {}) do
    local added = call(unpack(c)) ~= 0 and (kind == 'ZADD' and '}:(.*)' or kind == 'SEEN' and '}:(seen:[^:]*)')
    if added then call('HSETNX', keys[1], string.match(c[2], added), '') end
  end
end
if tonumber(is[2] or 0) < life then call('HSET', keys[1], 'life', life) end
return results
