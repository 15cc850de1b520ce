-- Renews the names of authors who have an article here, each unless a later one is there. An erased author goes, except
-- for the id's new owner: an article that was shown after the erasure has read the person as that left it.
--
-- KEYS
--   hash marker, hash authors
-- ARGV
--   identity of the slot; of each person id, revision, name or '', and 1 for an erased one, else 0
-- Returns for each person 0; an error for another slot
local call, authors, results, is = redis.call, KEYS[2], {}, redis.call('HGET', KEYS[1], 'is')
if is ~= ARGV[1] then return redis.error_reply((is or '') == '' and 'FILLING' or 'STRANGE') end
for i = 2, #ARGV, 4 do
  local id, revision, name, erased = ARGV[i], ARGV[i + 1], ARGV[i + 2], ARGV[i + 3]
  local was = string.match(call('HGET', authors, id) or '', '^%d+')
  if was and tonumber(was) <= tonumber(revision) then
    local gone = erased == '1' and name == '' and tonumber(was) < tonumber(revision)
    local _ = gone and call('HDEL', authors, id) or call('HSET', authors, id, revision .. ' ' .. name)
  end
  results[#results + 1] = 0
end
return results
