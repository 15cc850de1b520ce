-- Reads at one time the totals of a board of teams in a shard, those of the period before, and members. Read-only. After
-- slot.lua.
--
-- KEYS
--   hash marker, hash board, hash board of the period before
-- ARGV
--   identity of the slot, the board as the list of whole ones has it, the last day of a rolling period (else ''), the
--   number of teams, then users
-- Returns an error for another slot, or one that is being filled; else arrays of the sum and the number of seen members
--   of each team in turn, nil for none, of both periods, and of the users' places, nil for a user who is no member
local marker, board, past_board = KEYS[1], KEYS[2], KEYS[3]
local identity, wanted, day, teams = ARGV[1], ARGV[2], ARGV[3], tonumber(ARGV[4])
local FIRST_USER = 5
local is = redis.call('HMGET', marker, 'is', 'fill', 'keeps', 'days')
local refused = refusal(is[1], identity, is[2]) or lack(is[3], wanted, is[4], day)
if refused then return refused end
local fields, users, places = {}, {}, {}
for team = 1, teams do
  fields[2 * team - 1] = team
  fields[2 * team] = team .. 'm'
end
for i = FIRST_USER, #ARGV do
  users[#users + 1] = 'u' .. ARGV[i]
end
if #users > 0 then places = redis.call('HMGET', board, unpack(users)) end
return {redis.call('HMGET', board, unpack(fields)), redis.call('HMGET', past_board, unpack(fields)), places}
