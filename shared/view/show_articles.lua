-- Applies articles by their items: page, lists, numbers of groups, author's name. A later revision stays.
--
-- KEYS
--   hash marker, hash pages, hash votes, hash authors, hash groups, then zsets of lists, by their index below
-- ARGV
--   identity of the slot; Life.Number; worth of a vote, s; of each article id, revision, its line and page ('' if
--   it is gone for good), revision of the person who is or was its author (0: who was is not known, and goes), name or
--   '', how many pairs of lists, and of each the group ('' for all articles), the list by score and the one by moment
-- Returns for each article 0 for applied, 1 for stale, or on which lists it was, if not all of them were declared:
--   then it is not applied; an error for another slot
local APPLIED, STALE, call, keys, args, i, results = 0, 1, redis.call, KEYS, ARGV, 4, {}
local is = call('HMGET', keys[1], 'is', 'life')
if is[1] ~= args[1] then return redis.error_reply((is[1] or '') == '' and 'FILLING' or 'STRANGE') end
local function parse(value)
  local head = '^(%d+)\t(%-?%d+)\t(%-?%d+)\t(%d)\t(%x*)\t([^\t]*)\t([^\n]*)\n'
  local revision, base, own, open, age, author, lists = string.match(value, head)
  local a = {base = base, own = own, open = open == '1', age = age or '', author = author or '', lists = lists, on = {}}
  for group in string.gmatch(lists or '', '\31([^\31]*)') do a.on[group] = true end
  return a, tonumber(revision or 0)
end
local function rank(member, votes, now, from, to)
  for at = from, to, 3 do
    local group, hot, new = args[at], keys[tonumber(args[at + 1])], keys[tonumber(args[at + 2])]
    if now.on[group] then
      call('ZADD', hot, string.format('%.0f', -(now.base + args[3] * (now.own + votes))), member)
      call('ZADD', new, string.format('%.0f', tonumber(now.age, 16)), member)
    else
      for _, list in ipairs({hot, new}) do call('ZREM', list, member) end
    end
    local n = group == '' and -1 or call('ZCARD', new)
    local _ = n > 0 and call('HSET', keys[5], group, n) or n == 0 and call('HDEL', keys[5], group)
  end
end
while i <= #args do
  local id, revision, value, read, name, lists = unpack(args, i, i + 5)
  local first, missing, now = i + 6, {}, parse(value)
  local was, seen = parse(call('HGET', keys[2], id) or '')
  i = first + 3 * lists
  for group in pairs(was.on) do missing[group] = true end
  for at = first, i - 1, 3 do missing[args[at]] = nil end
  local stale = tonumber(is[2] or 0) > tonumber(args[2]) or value ~= '' and seen > tonumber(revision)
  results[#results + 1] = stale and STALE or next(missing) and was.lists or APPLIED
  if results[#results] == APPLIED then
    local age, votes = now.age ~= '' and now.age or was.age, now.open and call('HGET', keys[3], id) or 0
    rank(age .. id, votes, now, first, i - 1)
    local _ = value == '' and call('HDEL', keys[2], id) or call('HSET', keys[2], id, value)
    _ = not now.open and call('HDEL', keys[3], id)
    local who = now.author ~= '' and now.author or now.age ~= '' and was.author or ''
    local known = who ~= '' and call('HGET', keys[4], who) or now.author ~= '' and '0'
    if known and (now.author .. read == '0' or tonumber(string.match(known, '^%d+')) <= tonumber(read)) then
      _ = now.author .. name == '' and call('HDEL', keys[4], who) or call('HSET', keys[4], who, read .. ' ' .. name)
    end
  end
end
return results
