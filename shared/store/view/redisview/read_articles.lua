-- Reads a piece of a list of articles. Read-only. After slot.lua.
--
-- KEYS
--   hash marker, zset list, hash articles, hash votes
-- ARGV
--   identity of the slot, offset from 0, how many
-- Returns an error for another slot, or one that is being filled; else how many are on the list, then arrays of the
-- ids, of lines and of votes, false for a missing one
local marker, list, articles, votes = KEYS[1], KEYS[2], KEYS[3], KEYS[4]
local identity, offset, limit = ARGV[1], tonumber(ARGV[2]), tonumber(ARGV[3])
local ID_AT = 12 -- in a member of a list
local is = redis.call('HMGET', marker, 'is', 'fill')
local refused = refusal(is[1], identity, is[2])
if refused then return refused end
local total = redis.call('ZCARD', list)
if limit == 0 or offset >= total then return {total, {}, {}, {}} end
local ids = redis.call('ZRANGE', list, offset, string.format('%.0f', offset + limit - 1))
for i, member in ipairs(ids) do
  ids[i] = string.sub(member, ID_AT)
end
local lines = redis.call('HMGET', articles, unpack(ids))
local counts = redis.call('HMGET', votes, unpack(ids))
return {total, ids, lines, counts}
