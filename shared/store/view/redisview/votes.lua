-- Shared by the script that applies votes, and prefixed to it: its arguments, and differences between lists of votes.
--
-- KEYS and
-- ARGV are the script's
-- Returns nothing, as the script continues

-- Returns the declarations that begin with their number at an argument, and the argument after them: by id of the
-- article, its lists as text, and the first and the last argument that names one
local function declarations(at)
  local declared, i = {}, at + 1
  for _ = 1, tonumber(ARGV[at]) do
    local id, lists, count = ARGV[i], ARGV[i + 1], tonumber(ARGV[i + 2])
    declared[id] = {lists = lists, first = i + 3, last = i + 2 + count}
    i = i + 3 + count
  end
  return declared, i
end

-- Returns by id 1 for each article with a new vote and -1 for one without its vote; was begins with a revision, and
-- each list has a line feed before each id
local function compare(was, ids)
  local differences = {}
  for id in string.gmatch(was, '\n([^\n]+)') do
    differences[id] = -1
  end
  for id in string.gmatch(ids, '\n([^\n]+)') do
    if differences[id] then
      differences[id] = nil
    else
      differences[id] = 1
    end
  end
  return differences
end
