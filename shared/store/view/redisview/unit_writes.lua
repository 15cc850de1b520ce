-- Shared by the script that applies units, and prefixed to it: its writes, one command for each kind and key.
--
-- KEYS and
-- ARGV are the script's
-- Returns nothing, as the script continues
local KINDS = {'ZADD', 'HSET', 'SADD', 'ZREM', 'HDEL', 'SREM'} -- the first three are refused by a full Redis
local SUPPRESSION = {['0'] = 'SREM', ['1'] = 'SADD'} -- of a user who is not suppressed, and of one who is
local commands = {}
for _, kind in ipairs(KINDS) do
  commands[kind] = {}
end

-- Adds a member, or a field and its value, or a score and its member, to the command of a kind for a key
local function put(kind, key, first, second)
  local command = commands[kind][key]
  if not command then
    command = {kind, key}
    commands[kind][key] = command
  end
  command[#command + 1] = first
  command[#command + 1] = second -- nil adds nothing
end

-- Notes that a caller with other boards than the slot is compared by shows units: boards that it lacks are not whole
local function keep_both(marker, kept, boards)
  local both = {}
  for board in string.gmatch(kept, '%S+') do
    if lists(boards, board) then both[#both + 1] = board end
  end
  redis.call('HSET', marker, 'asks', '', 'keeps', table.concat(both, ' '))
end

-- Lists a key in the marker by the part of its name that a pattern captures
local function list_key(marker, key, pattern)
  redis.call('HSETNX', marker, string.match(key, pattern), '')
end

-- Writes: the commands, then the seen revisions of each unit. New boards and new hashes are listed in the marker.
local function write_all(marker, seen)
  for _, kind in ipairs(KINDS) do
    for key, command in pairs(commands[kind]) do
      local changed = redis.call(unpack(command))
      if kind == 'ZADD' and changed ~= 0 then list_key(marker, key, '}:(.*)') end
    end
  end
  for _, added in ipairs(seen) do
    for _, new in ipairs(added) do
      local key, field, revision = unpack(new)
      local is_first = redis.call('HSET', key, field, revision) == 1
      if is_first then list_key(marker, key, '}:(seen:[^:]*)') end
    end
  end
end
