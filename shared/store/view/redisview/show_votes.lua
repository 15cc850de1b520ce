-- Applies users' votes of a month: differences from the list of each that is here are counted, and those articles are
-- ranked again. A user who was seen with a later revision is left out. After slot.lua, article_line.lua and votes.lua.
-- KEYS
--   hash marker, hash articles, hash votes, then hashes of users' votes and zsets of hot lists, by their index below
-- ARGV
--   identity of the slot; Life.Number that the votes were read with; worth of a vote, s; how many articles; of
--   each id, its presumed lists, how many lists, and these; of each user: hash, field, revision of the ledger, ids of
--   the articles, a line feed before each
-- Returns for each user 0 for applied, 1 for stale, or in turn ids and lists of articles that are on other lists than
--   was declared: then nothing is applied; an error for another slot
local APPLIED, STALE = 0, 1
local marker, articles, votes = KEYS[1], KEYS[2], KEYS[3]
local identity, life, worth = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local is = redis.call('HMGET', marker, 'is', 'life')
local refused = refusal(is[1], identity)
if refused then return refused end
local is_late = tonumber(is[2] or 0) > life
local declared, first_user = declarations(4)

local function count(id, article, difference)
  local counted = redis.call('HINCRBY', votes, id, difference)
  if article.lists == '' then return end
  local score = hot_score(article, counted, worth)
  for i = declared[id].first, declared[id].last do
    redis.call('ZADD', KEYS[tonumber(ARGV[i])], score, article.age .. id)
  end
end

local function apply(key, field, revision, ids)
  local was = redis.call('HGET', key, field) or '0'
  if is_late or tonumber(string.match(was, '^%d+')) > tonumber(revision) then return STALE end
  local counting, missing = {}, {} -- the articles that are counted; ids and lists of those on other lists
  local differences = compare(was, ids)
  for id in pairs(differences) do
    local article = parse(redis.call('HGET', articles, id))
    if article.open or article.revision == 0 then
      counting[id] = article
      if article.lists ~= '' and article.lists ~= (declared[id] or {}).lists then
        missing[#missing + 1] = id
        missing[#missing + 1] = article.lists
      end
    end
  end
  if #missing > 0 then return missing end
  for id, article in pairs(counting) do
    count(id, article, differences[id])
  end
  local is_first = redis.call('HSET', key, field, revision .. ids) == 1
  if is_first then redis.call('HSETNX', marker, string.match(key, '}:(votes:[^:]*)'), '') end
  return APPLIED
end

local results = {}
for i = first_user, #ARGV, 4 do
  results[#results + 1] = apply(KEYS[tonumber(ARGV[i])], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3])
end
return results
