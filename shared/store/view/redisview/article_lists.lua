-- Shared by the script that applies articles, and prefixed to it: the lists of an article, and the groups' numbers.
--
-- KEYS and
-- ARGV are the script's
-- Returns nothing, as the script continues

-- Returns whether some arguments, three for each list, the group first, have all lists that an article is on
local function all_declared(on, first, last)
  local declared = {}
  for i = first, last, 3 do
    declared[ARGV[i]] = true
  end
  for group in pairs(on) do
    if not declared[group] then return false end
  end
  return true
end

-- Sets the number of a group's articles to the length of its list, and removes a group without any
local function count_group(groups, group, list)
  local count = redis.call('ZCARD', list)
  if count > 0 then
    redis.call('HSET', groups, group, count)
  else
    redis.call('HDEL', groups, group)
  end
end
