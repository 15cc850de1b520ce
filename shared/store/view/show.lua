-- Applies units: the places of users on the boards of a shard. Users seen with a later revision are left out.
--
-- KEYS
--   hash marker, hash names, set suppressed, then hashes of seen revisions and zsets of boards, by their index below
-- ARGV
--   identity of the slot; Life.Number that the units were read with; of each user: id, field of its revision, mode
--   (ALL, WHOLE, CHANGED), 1 for suppressed, + and the name to be set, - if it goes, else '', the first hash, how many
--   revisions and places; of each revision, each in the next hash, it and the one before this write, '' if it is only
--   checked: the person's, then those of months; of each place board and packed score, '' for none
-- Returns for each user 0 for applied, 1 for stale, 2 if all live months are needed; an error for another slot
local APPLIED, STALE, WHOLE, call, keys, args = 0, 1, 2, redis.call, KEYS, ARGV
local WHOLE_MODE, CHANGED_MODE = '1', '2' -- WHOLE: the places of all live months; CHANGED: those alone that changed
local is, life, i, results = call('HMGET', keys[1], 'is', 'life'), tonumber(args[2]), 3, {}
if is[1] ~= args[1] then return redis.error_reply((is[1] or '') == '' and 'FILLING' or 'STRANGE') end
local commands, late = {ZADD = {}, HSET = {}, SADD = {}, ZREM = {}, HDEL = {}, SREM = {}}, tonumber(is[2] or 0) > life
local function put(kind, k, a, b)
  local c = commands[kind][k] or {kind, keys[tonumber(k)]}
  c[#c + 1], c[#c + 2], commands[kind][k] = a, b, c
end
local seen, s = {}, 0 -- hash, field and revision in turn, and how many of them
while i <= #args do
  local user, field, mode, hidden, name, k, revisions, places = unpack(args, i, i + 7)
  local from, result, t = i + 8, late and STALE or APPLIED, s
  local middle = from + 2 * revisions
  i = middle + 2 * places
  for at = from, middle - 1, 2 do
    local revision, before, was = args[at], args[at + 1], call('HGET', keys[k + (at - from) / 2], field) or '0'
    if was ~= revision then
      if tonumber(was) > tonumber(revision) then result = STALE end
      if at == from and mode ~= WHOLE_MODE and result == APPLIED then result = WHOLE end
      if before ~= '' then seen[t + 1], seen[t + 2], seen[t + 3], t = keys[k + (at - from) / 2], field, revision, t + 3 end
    end
    if mode == CHANGED_MODE and was ~= before and before ~= '' and result == APPLIED then result = WHOLE end
  end
  results[#results + 1] = result
  if result == APPLIED then
    s = t
    for p = middle, i - 1, 2 do
      if args[p + 1] == '' then put('ZREM', args[p], user) else put('ZADD', args[p], args[p + 1], user) end
    end
    if name == '-' then put('HDEL', 2, user) elseif name ~= '' then put('HSET', 2, user, string.sub(name, 2)) end
    if mode ~= CHANGED_MODE then put(hidden == '1' and 'SADD' or 'SREM', 3, user) end
  end
end
for _, kind in ipairs({'ZADD', 'HSET', 'SADD', 'ZREM', 'HDEL', 'SREM'}) do -- first what a full Redis refuses
  for _, c in pairs(commands[kind]) do
    if call(unpack(c)) ~= 0 and kind == 'ZADD' then call('HSETNX', keys[1], string.match(c[2], '}:(.*)'), '') end
  end
end
for j = 1, s, 3 do
  local new = call('HSET', seen[j], seen[j + 1], seen[j + 2]) == 1
  if new then call('HSETNX', keys[1], string.match(seen[j], '}:(seen:[^:]*)'), '') end
end
if tonumber(is[2] or 0) < life then call('HSET', keys[1], 'life', life) end
return results
