-- Removes final periods from a slot, and writes the life and the beat.
--
-- KEYS
--   hash marker, then keys to be removed
-- ARGV
--   identity of the slot, Life.Number, beat, then fields of the marker that list removed keys
-- Returns 1, or 0 if the slot is another, -1 if it knows of a later life: then nothing is removed
local marker, is = KEYS[1], redis.call('HMGET', KEYS[1], 'is', 'life', 'beat')
local life, beat = tonumber(ARGV[2]), tonumber(ARGV[3])
if is[1] ~= ARGV[1] then return 0 end
if tonumber(is[2] or 0) > life then return -1 end
for i = 2, #KEYS do redis.call('UNLINK', KEYS[i]) end
for i = 4, #ARGV do redis.call('HDEL', marker, ARGV[i]) end
if tonumber(is[2] or 0) < life then redis.call('HSET', marker, 'life', ARGV[2]) end
if tonumber(is[3] or 0) < beat then redis.call('HSET', marker, 'beat', ARGV[3]) end
return 1
