-- Applies users' votes of a month: differences from each user's stored list are counted, and those articles are
-- ranked again. A user who was seen with a later revision is left out.
--
-- KEYS
--   hash marker, hash pages, hash votes, then hashes of users' votes and zsets of hot lists, by their index below
-- ARGV
--   identity of the slot; Life.Number that the votes were read with; worth of a vote, s; how many articles; of
--   each id, on which lists it is taken to be, how many lists, and these; of each user: hash, field, revision of the
--   ledger, ids of the articles, a line feed before each
-- Returns for each user 0 for applied, 1 for stale, or in turn ids and lists of articles that are on other lists than
--   was declared: then nothing is applied; an error for another slot
local APPLIED, STALE, call, keys, args = 0, 1, redis.call, KEYS, ARGV
local is, life, i, results, declared = call('HMGET', keys[1], 'is', 'life'), tonumber(args[2]), 5, {}, {}
if is[1] ~= args[1] then return redis.error_reply((is[1] or '') == '' and 'FILLING' or 'STRANGE') end
for _ = 1, tonumber(args[4]) do
  declared[args[i]] = i + 1
  i = i + 3 + args[i + 2]
end
local function read(id) -- the article, nil if it takes no votes
  local there = call('HGET', keys[2], id)
  local head = '^%d+\t(%-?%d+)\t(%-?%d+)\t(%d)\t(%x*)\t[^\t]*\t([^\n]*)\n'
  local base, own, open, age, lists = string.match(there or '', head)
  if not there then return {lists = ''} end
  return open == '1' and {base = base, own = own, member = age .. id, lists = lists} or nil
end
local function count(id, article, by)
  local votes, d = call('HINCRBY', keys[3], id, by), declared[id]
  for k = article.lists ~= '' and d + 2 or 1, article.lists ~= '' and d + 1 + args[d + 1] or 0 do
    local score = -(article.base + args[3] * (article.own + votes))
    call('ZADD', keys[tonumber(args[k])], string.format('%.0f', score), article.member)
  end
end
for at = i, #args, 4 do
  local key, field, revision, ids = keys[tonumber(args[at])], args[at + 1], args[at + 2], args[at + 3]
  local was, moved, articles, missing = call('HGET', key, field) or '0', {}, {}, {}
  for id in string.gmatch(was, '\n([^\n]+)') do moved[id] = -1 end
  for id in string.gmatch(ids, '\n([^\n]+)') do moved[id] = (moved[id] or 0) + 1 end
  for id, by in pairs(moved) do
    articles[id] = by ~= 0 and read(id) or nil
    local lists = articles[id] and articles[id].lists or ''
    if lists ~= '' and (not declared[id] or args[declared[id]] ~= lists) then
      missing[#missing + 1] = id
      missing[#missing + 1] = lists
    end
  end
  local stale = tonumber(is[2] or 0) > life or tonumber(string.match(was, '^%d+')) > tonumber(revision)
  if not stale and #missing == 0 then
    for id, article in pairs(articles) do count(id, article, moved[id]) end
    local new = call('HSET', key, field, revision .. ids) == 1
    local _ = new and call('HSETNX', keys[1], string.match(key, '}:(votes:[^:]*)'), '')
  end
  results[#results + 1] = stale and STALE or #missing > 0 and missing or APPLIED
end
return results
