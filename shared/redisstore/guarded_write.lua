-- Applies writes in parts, such as the commits of some users: a part if its guards hold and those of part 0, which
-- are for all; else nothing of it. What was applied before, as a new version tells, is not applied again.
--
-- KEYS  named by their index k, two bytes of the layout
-- ARGV
--   1     layout, in bytes: the last part; of each part how many guards, reads and writes (two bytes), then of each
--         guard k and how many bytes count, of each read k, of each write k, kind and n
--   2 ..  of each part: of each guard the hash's field ('' for a string), the bytes that were read, and those that are
--         written ('' for none); of each read the hash's fields, a line each ('' for a string); of each write the
--         command, unless it is merged with that of others, and n arguments, of a LIST one JSON array
-- Returns of each part (of a single one itself) DONE when it is written, now or before; else what was read
local DONE = 1
local LIST, MERGED = 1, { [2] = 'SADD', [3] = 'ZREM', [4] = 'ZADD' }
local call, keys, args, now, all, merged, sooner, later = redis.call, KEYS, ARGV, {}, true, {}, {}, {}
local l, p, at = { string.byte(args[1], 1, -1) }, 2, 2
for part = 0, l[1] do
  local met, done, guards, reads, writes = all, false, l[p], l[p + 1], 256 * l[p + 2] + l[p + 3]
  for i = p + 4, p + 1 + 3 * guards, 3 do
    local key, field = keys[256 * l[i] + l[i + 1]], args[at]
    local value = string.sub(field == '' and call('GETRANGE', key, 0, 7) or call('HGET', key, field) or '', 1, l[i + 2])
    done = done or value ~= '' and value == args[at + 2]
    met, at = met and value == args[at + 1], at + 3
  end
  p, all, now[part] = p + 4 + 3 * guards, all and (met or part > 0), done and DONE or not met and {}
  for i = 1, reads do
    if not met and not done then
      local key, fields = keys[256 * l[p] + l[p + 1]], {}
      string.gsub(args[at], '[^\n]+', function(field) table.insert(fields, field) end)
      now[part][i] = fields[1] and call('HMGET', key, unpack(fields)) or not fields[1] and call('GET', key)
    end
    p, at = p + 2, at + 1
  end
  for i = p, p + 4 * writes - 1, 4 do
    local k, kind, n = 256 * l[i] + l[i + 1], l[i + 2], l[i + 3]
    local command, write = MERGED[kind], merged[-65536 * kind - k] -- below 0: miniredis fills arrays
    at = command and at or at + 1
    if write and not now[part] then
      for j = at, at + n - 1 do
        write[#write + 1] = args[j]
      end
    elseif not now[part] then
      local list, queue = kind == LIST and cjson.decode(args[at]), command and sooner or later
      write = { command or args[at - 1], keys[k], unpack(list or args, list and 1 or at, list and #list or at + n - 1) }
      queue[#queue + 1], merged[-65536 * kind - k] = write, command and write
    end
    at = at + n
  end
  p, now[part] = p + 4 * writes, now[part] or DONE
end
for i = 1, #sooner + #later do
  local write = sooner[i] or later[i - #sooner]
  local nothing = call(unpack(write)) == 0 and write[1] == 'HINCRBY'
  local _ = nothing and call('HDEL', write[2], write[3])
end
return l[1] > 1 and now or now[1]
