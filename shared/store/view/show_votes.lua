-- Applies users' votes of a month: differences from the list of each that is here are counted, and those articles are
-- ranked again. A user who was seen with a later revision is left out. After article_line.lua.
--
-- KEYS
--   hash marker, hash articles, hash votes, then hashes of users' votes and zsets of hot lists, by their index below
-- ARGV
--   identity of the slot; Life.Number that the votes were read with; worth of a vote, s; how many articles; of
--   each id, on which lists it is taken to be, how many lists, and these; of each user: hash, field, revision of the
--   ledger, ids of the articles, a line feed before each
-- Returns for each user 0 for applied, 1 for stale, or in turn ids and lists of articles that are on other lists than
--   was declared: then nothing is applied; an error for another slot
local APPLIED, STALE = 0, 1
local marker, articles, votes = KEYS[1], KEYS[2], KEYS[3]
local identity, life, worth, declarations = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3]), tonumber(ARGV[4])
local is = redis.call('HMGET', marker, 'is', 'life')
local refused = refusal(is[1], identity)
if refused then return refused end
local late = tonumber(is[2] or 0) > life

local declared, i = {}, 5 -- by id: the lists as text, and the first and last argument that names one
for _ = 1, declarations do
  declared[ARGV[i]] = {lists = ARGV[i + 1], first = i + 3, last = i + 2 + ARGV[i + 2]}
  i = i + 3 + ARGV[i + 2]
end

local function count(id, article, by)
  local counted = redis.call('HINCRBY', votes, id, by)
  if article.lists == '' then return end
  local score = hot_score(article, counted, worth)
  for at = declared[id].first, declared[id].last do
    redis.call('ZADD', KEYS[tonumber(ARGV[at])], score, article.age .. id)
  end
end

local function apply(key, field, revision, ids)
  local was, moved, open, missing = redis.call('HGET', key, field) or '0', {}, {}, {}
  if late or tonumber(string.match(was, '^%d+')) > tonumber(revision) then return STALE end
  for id in string.gmatch(was, '\n([^\n]+)') do moved[id] = -1 end
  for id in string.gmatch(ids, '\n([^\n]+)') do moved[id] = (moved[id] or 0) + 1 end
  for id, by in pairs(moved) do
    local article = parse(by ~= 0 and redis.call('HGET', articles, id))
    if by ~= 0 and (article.open or article.revision == 0) then open[id] = article end
    if open[id] and article.lists ~= '' and (declared[id] or {}).lists ~= article.lists then
      missing[#missing + 1] = id
      missing[#missing + 1] = article.lists
    end
  end
  if #missing > 0 then return missing end
  for id, article in pairs(open) do count(id, article, moved[id]) end
  local new = redis.call('HSET', key, field, revision .. ids) == 1
  if new then redis.call('HSETNX', marker, string.match(key, '}:(votes:[^:]*)'), '') end
  return APPLIED
end

local results = {}
for at = i, #ARGV, 4 do
  results[#results + 1] = apply(KEYS[tonumber(ARGV[at])], ARGV[at + 1], ARGV[at + 2], ARGV[at + 3])
end
return results
