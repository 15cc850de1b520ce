-- Counts users' votes for an article, if its page is still what was read. A vote
-- is a number, as package article has it.
--
-- KEYS
--   1     hash  pages of articles
--   2     hash  votes of articles
--   3     hash  the article's voters
--   4     hash  moments at which users were erased
--   5 ..  zset  hot lists that the article is on
-- ARGV
--   1     id
--   2     version of the page that was read
--   3     member of the lists
--   4     the part of its score that votes do not change, s
--   5     what a vote is worth, s
--   6 ..  user, vote and field of the user's erasure, in turn; as a vote '' forgets it
-- Returns
--   DONE when they are counted, now or before; else the page that is there, '' for none

local DONE = 1
local LIKED, MOMENT = 2, 8 -- a vote is 8 x moment + 2 x kind + 1 if it was ever liked; 0 is none
local COUNTS = {[1] = 1, [5] = 1} -- votes modulo 8: liked, and restored after it was
local pages, votes, voters, erased = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local id, version_read, member = ARGV[1], ARGV[2], ARGV[3]
local seconds, vote_seconds = tonumber(ARGV[4]), tonumber(ARGV[5])
local first_list, first_vote = 5, 6

local there = redis.call('HGET', pages, id) or ''
if string.sub(there, 1, 8) ~= version_read then
  return there
end

local moved = 0
for i = first_vote, #ARGV, 3 do
  local user, vote = ARGV[i], tonumber(ARGV[i + 1])
  local was = tonumber(redis.call('HGET', voters, user) or 0)
  local forgotten = MOMENT * (tonumber(redis.call('HGET', erased, ARGV[i + 2]) or -1) + 1) -- votes below
  local now = vote and was or 0
  if not vote then
    redis.call('HDEL', voters, user)
  elseif vote >= forgotten then
    local liked = math.max(vote % LIKED, was >= forgotten and was % LIKED or 0)
    now = math.max(vote - vote % LIKED, was - was % LIKED) + liked
    redis.call('HSET', voters, user, string.format('%.0f', now))
  end
  moved = moved + (COUNTS[now % MOMENT] or 0) - (COUNTS[was % MOMENT] or 0)
end
if moved ~= 0 then
  local count = redis.call('HINCRBY', votes, id, string.format('%.0f', moved))
  local score = string.format('%.0f', -(seconds + vote_seconds * count))
  for i = first_list, #KEYS do
    redis.call('ZADD', KEYS[i], score, member)
  end
end
return DONE
