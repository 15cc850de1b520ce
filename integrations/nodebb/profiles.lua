-- Prints the profiles of a NodeBB's members as lines for laurel import --profiles. It reads alone.
-- KEYS: none; NodeBB names its keys itself
-- ARGV[1...]: private groups, each as "group of NodeBB=group of Laurel"; without any, Laurel keeps those that it has
-- Returns: an array of lines of JSON
local lines = {}
local function groups(uid)
	local all, known = {}, {}
	for _, pair in ipairs(ARGV) do
		local name, group = pair:match('^%s*([^=]-)%s*=%s*(.-)%s*$')
		if name and not known[group] and redis.call('ZSCORE', 'group:' .. name .. ':members', uid) then
			known[group] = true
			all[#all + 1] = group
		end
	end
	return #ARGV > 0 and (#all > 0 and table.concat(all, '|') or 'none') or nil
end
for _, uid in ipairs(redis.call('ZRANGE', 'users:joindate', 0, -1)) do
	local user = redis.call('HMGET', 'user:' .. uid, 'fullname', 'username')
	local name = user[1] and user[1] ~= '' and user[1] or user[2] or ''
	if tonumber(uid) and tonumber(uid) > 0 and name ~= '' then
		lines[#lines + 1] = cjson.encode({ id = uid, name = name, groups = groups(uid) })
	end
end
return lines
