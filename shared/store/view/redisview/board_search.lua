-- Shared by scripts that look for users on a board, and prefixed to them: the search by a score of another shard.
--
-- KEYS and
-- ARGV are the script's
-- Returns nothing, as the script continues

-- Returns whether a text precedes another byte by byte, as Redis orders members; Lua's own < follows the locale
local function precedes(a, b)
  local i = 1
  while i <= #a and string.byte(a, i) == string.byte(b, i) do
    i = i + 1
  end
  return (string.byte(a, i) or -1) < (string.byte(b, i) or -1)
end

-- Returns how many members of a board precede the place of a user with a packed score
local function count_before(board, packed, user)
  local low = redis.call('ZCOUNT', board, '-inf', '(' .. packed)
  local high = redis.call('ZCOUNT', board, '-inf', packed)
  while low < high do
    local middle = math.floor((low + high) / 2)
    local member = redis.call('ZRANGE', board, middle, middle)[1]
    if precedes(member, user) then
      low = middle + 1
    else
      high = middle
    end
  end
  return low
end

-- Returns the packed score of a user, '' for none, and how many members precede the place: of a user at home here
-- (?) by the score here, false for none; of another by the packed score that was sent
local function find(board, sent, here, user)
  if sent == '?' then
    if not here then return '', 0 end
    return here, redis.call('ZRANK', board, user)
  end
  if sent == '' then return '', 0 end
  return sent, count_before(board, sent, user)
end

-- Returns the members of a board around a place that so many members precede, with the user there if at home, and
-- their scores; none for a user without a packed score
local function neighbours(board, packed, before, around)
  if packed == '' then return {} end
  local first = math.max(0, before - math.max(around, 1))
  return redis.call('ZRANGE', board, first, before + around, 'WITHSCORES')
end
