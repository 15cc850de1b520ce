-- Reads the places of users, mostly friends, on a board, in one shard. Read-only. After slot.lua.
--
-- KEYS
--   hash marker, zset board, set suppressed, hash names
-- ARGV
--   identity of the slot, the board as the list of whole ones has it, the last day of a rolling period (else ''), number
--   of the first places whose names are read, 1 for names of users who are not on it, too (else 0), then users
-- Returns an error for another slot, or one that is being filled; else
--   1  packed scores, '' for a user who is not on the board
--   2  places on it, from 0; -1 for a user who is not, -2 for a suppressed one
--   3  users and names in turn, of those who have one
local marker, board, suppressed, names = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local identity, wanted, day, most_named, with_others = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4]), ARGV[5] == '1'
local FIRST_USER, ABSENT, SUPPRESSED = 6, -1, -2
local is = redis.call('HMGET', marker, 'is', 'fill', 'keeps', 'days')
local refused = refusal(is[1], identity, is[2]) or lack(is[3], wanted, is[4], day)
if refused then return refused end

local scores, places = {}, {}
local order, user_at = {}, {} -- places on the board, and the users there
local fields = {} -- users whose names are read

local function find(user, n)
  local place = redis.call('ZRANK', board, user)
  scores[n] = ''
  if place then
    scores[n] = redis.call('ZSCORE', board, user)
    places[n] = place
    order[#order + 1] = place
    user_at[place] = user
  elseif redis.call('SISMEMBER', suppressed, user) == 1 then
    places[n] = SUPPRESSED
  else
    places[n] = ABSENT
    if with_others then fields[#fields + 1] = user end
  end
end

for i = FIRST_USER, #ARGV do
  find(ARGV[i], i - FIRST_USER + 1)
end
table.sort(order)
for i = 1, math.min(most_named, #order) do
  fields[#fields + 1] = user_at[order[i]]
end
local named = {}
if #fields > 0 then
  for i, name in ipairs(redis.call('HMGET', names, unpack(fields))) do
    if name then
      named[#named + 1] = fields[i]
      named[#named + 1] = name
    end
  end
end
return {scores, places, named}
