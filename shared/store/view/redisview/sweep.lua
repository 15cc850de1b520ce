-- Removes final periods from a slot, and writes the life and the beat. After slot.lua.
--
-- KEYS
--   hash marker, then keys to be removed
-- ARGV
--   identity of the slot, Life.Number, beat, a board that is not to be removed if it is whole, or '', then fields of the marker that list removed keys
-- Returns 1, or 0 if the slot is another, -1 if it knows of a later life: then nothing is removed
local marker = KEYS[1]
local identity, life, beat = ARGV[1], ARGV[2], ARGV[3]
local is = redis.call('HMGET', marker, 'is', 'life', 'beat', 'keeps')
local seen_life = tonumber(is[2] or 0)
local seen_beat = tonumber(is[3] or 0)
if refusal(is[1], identity) then return 0 end
if seen_life > tonumber(life) then return -1 end
if ARGV[4] ~= '' and lists(is[4] or '', ARGV[4]) then return 1 end
for i = 2, #KEYS do
  redis.call('UNLINK', KEYS[i])
end
for i = 5, #ARGV do
  redis.call('HDEL', marker, ARGV[i])
end
if seen_life < tonumber(life) then redis.call('HSET', marker, 'life', life) end
if seen_beat < tonumber(beat) then redis.call('HSET', marker, 'beat', beat) end
return 1
