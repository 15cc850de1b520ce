-- Prints the acts of a NodeBB's members as lines for laurel import. It reads alone.
-- KEYS: none; NodeBB names its keys itself
-- ARGV: none
-- Returns: an array of lines of JSON
local lines = {}
-- Moments are NodeBB's milliseconds, as text, so that no digit is lost.
local function add(line) lines[#lines + 1] = cjson.encode(line) end
local function text(value) return value or '' end
local function member(uid) return uid and tonumber(uid) and tonumber(uid) > 0 end
local function scored(key) return redis.call('ZRANGE', key, 0, -1, 'WITHSCORES') end
-- Titles are told of categories that guests read: their points count all the same.
local function public(cid)
	return redis.call('HGET', 'category:' .. text(cid), 'disabled') ~= '1'
		and redis.call('ZSCORE', 'group:cid:' .. text(cid) .. ':privileges:groups:topics:read:members', 'guests')
end

local listed = {} -- topics that are not deleted, and their first posts
for _, tid in ipairs(redis.call('ZRANGE', 'topics:tid', 0, -1)) do
	local topic = redis.call('HMGET', 'topic:' .. tid, 'mainPid', 'uid', 'title', 'timestamp', 'deleted', 'cid')
	if text(topic[5]) ~= '1' and topic[1] and not redis.call('ZSCORE', 'topics:scheduled', tid) then
		listed[tid] = topic[1]
		if member(topic[2]) then
			add({ at = topic[4], user = topic[2], action = 'publish', target = 'p' .. topic[1],
				title = public(topic[6]) and text(topic[3]) or '' })
		end
	end
end
for _, pid in ipairs(redis.call('ZRANGE', 'posts:pid', 0, -1)) do
	local post = redis.call('HMGET', 'post:' .. pid, 'tid', 'uid', 'timestamp', 'deleted')
	if listed[post[1]] and listed[post[1]] ~= pid and text(post[4]) ~= '1' and member(post[2]) then
		add({ at = post[3], user = post[2], action = 'comment', target = 't' .. post[1], ref = 'p' .. pid })
	end
end
for _, uid in ipairs(redis.call('ZRANGE', 'users:joindate', 0, -1)) do
	for action, set in pairs({ like = 'upvote', bookmark = 'bookmarks' }) do
		local done = scored('uid:' .. uid .. ':' .. set)
		for i = 1, #done, 2 do
			local post = redis.call('HMGET', 'post:' .. done[i], 'tid', 'deleted')
			if listed[post[1]] and text(post[2]) ~= '1' then
				add({ at = done[i + 1], user = uid, action = action, target = 'p' .. done[i] })
			end
		end
	end
	local to = scored('following:' .. uid)
	for i = 1, #to, 2 do add({ at = to[i + 1], user = uid, action = 'follow', target = to[i] }) end
end
return lines
