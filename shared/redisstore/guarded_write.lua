-- Applies writes if all guards hold; else it changes nothing and answers with what is
-- there. What was applied before, as a new version tells, is not applied again. Go
-- lays keys and arguments out (write.go).
--
-- KEYS
--   1 .. m  what is named by its index, k; then the keys of writes EACH, in order
-- ARGV
--   1     layout, in bytes: how many guards and reads, m; of each guard k and how many
--         bytes count; of each read k and n; of each write kind, k (EACH: keys) and n
--   2 ..  of each guard the hash's field ('' for a string), the bytes that were read
--         ('' for none), and those that the writes set ('' for none)
--   ..    of each read n fields of the hash (none for a string)
--   ..    of each write the command and n arguments; EACH: and one for each key, which
--         comes before them; LIST: these are a JSON array of any number
-- Returns
--   DONE when all is written, now or before; else what was read, false for none

local DONE = 1
local EACH, LIST, PART = 1, 2, 1000
local call, keys, args, layout, now = redis.call, KEYS, ARGV, { string.byte(ARGV[1], 1, -1) }, {}
local met, at, p, each = true, 2, 4, layout[3]

for _ = 1, layout[1] do
  local key, field = keys[layout[p]], args[at]
  local value = field == '' and call('GETRANGE', key, 0, 7) or call('HGET', key, field) or ''
  value = string.sub(value, 1, layout[p + 1])
  if value ~= '' and value == args[at + 2] then
    return DONE
  end
  met, at, p = met and value == args[at + 1], at + 3, p + 2
end
for i = 1, layout[2] do
  local key, n = keys[layout[p]], layout[p + 1]
  now[i] = not met and (n > 0 and call('HMGET', key, unpack(args, at, at + n - 1)) or n == 0 and call('GET', key))
  at, p = at + n, p + 2
end
while met and p < #layout do
  local kind, key, n = layout[p], layout[p + 1], layout[p + 2]
  local command, first, last = args[at], at + 1, at + n
  at, p = last + 1, p + 3
  if kind == EACH then
    for i = 1, key do
      call(command, keys[each + i], args[last + i], unpack(args, first, last))
    end
    at, each = at + key, each + key
  elseif kind == LIST then
    local all = cjson.decode(args[first])
    for i = 1, #all, PART do
      call(command, keys[key], unpack(all, i, math.min(i + PART - 1, #all)))
    end
  elseif call(command, keys[key], unpack(args, first, last)) == 0 and command == 'HINCRBY' then
    call('HDEL', keys[key], args[first]) -- a count of nothing
  end
end
return met and DONE or now
