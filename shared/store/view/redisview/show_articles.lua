-- Applies articles as their items say: line, lists, numbers of groups. A later revision stays. After slot.lua,
-- article_line.lua and article_lists.lua.
-- KEYS
--   hash marker, hash articles, hash votes, hash groups, then zsets of lists, by their index below
-- ARGV
--   identity of the slot; Life.Number; worth of a vote, s; of each article id, line, how many pairs of lists, and
--   of each the group ('' for all articles), the list by score and the one by moment
-- Returns for each article 0 for applied, 1 for stale, or the lists that it was on, if not all of them were declared:
--   then it is not applied; an error for another slot
local APPLIED, STALE = 0, 1
local marker, articles, votes, groups = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local identity, life, worth = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local is = redis.call('HMGET', marker, 'is', 'life')
local refused = refusal(is[1], identity)
if refused then return refused end
local is_late = tonumber(is[2] or 0) > life

local function place(article, member, score, moment, first, last)
  for i = first, last, 3 do
    local group, hot, new = ARGV[i], KEYS[tonumber(ARGV[i + 1])], KEYS[tonumber(ARGV[i + 2])]
    if article.on[group] then
      redis.call('ZADD', hot, score, member)
      redis.call('ZADD', new, moment, member)
    else
      redis.call('ZREM', hot, member)
      redis.call('ZREM', new, member)
    end
    if group ~= '' then count_group(groups, group, new) end
  end
end

local function apply(id, line, first, last)
  local now = parse(line)
  local was = parse(redis.call('HGET', articles, id))
  if is_late or was.revision > now.revision then return STALE end
  if not all_declared(was.on, first, last) then return was.lists end
  if not now.open then redis.call('HDEL', votes, id) end
  local score = hot_score(now, redis.call('HGET', votes, id) or 0, worth)
  local moment = string.format('%.0f', tonumber(now.age, 16))
  place(now, now.age .. id, score, moment, first, last)
  redis.call('HSET', articles, id, line)
  return APPLIED
end

local results = {}
local i = 4
while i <= #ARGV do
  local first = i + 3
  local last = i + 2 + 3 * ARGV[i + 2]
  results[#results + 1] = apply(ARGV[i], ARGV[i + 1], first, last)
  i = last + 1
end
return results
