'use strict';
// NodeBB's hooks, as reports for Laurel: ids, titles and moments, and no other data of the hooks, as some have
// passwords and tokens. Members and posts of other servers, whose ids are addresses, are left out.
const queue = require('./lib/queue');
const { core, text, authors, published, mapped } = require('./lib/forum');

const RECENT = 47 * 60 * 60 * 1000; // Laurel takes nothing older than 48 hours: that is imported
const local = id => /^[1-9]\d*$/.test(String(id));

let last = 0;
/** Returns this moment, later than the one before: an undo and a do in the same millisecond keep their order. */
function now() {
	last = Math.max(Date.now(), last + 1);
	return last;
}
/** Returns the moment of something new if it is recent, else this one. */
function made(timestamp, at) {
	return at - timestamp < RECENT ? Math.min(timestamp, at) : at;
}
/** Returns an activity of a user on a target, in a list that is empty if one of them is not of this forum. */
function act(user, action, kind, target, at, more) {
	const { of, restores } = more || {};
	const known = local(user) && (target === '' || local(target)) && (of === undefined || local(of));
	const entry = { user: String(user), action, target: kind + target, at: new Date(at).toISOString() };
	return known ? [{ ...entry, ...(of && { ref: `p${of}` }), ...(restores && { restores }) }] : [];
}
/** Returns the activities of a post that has become, or is no longer, a member's: a topic's first post publishes it. */
function written(post, tid, main, user, on, at) {
	const word = main ? 'publish' : 'comment';
	const entry = (action, moment, restores) => act(user, action, main ? 'p' : 't', main ? post.pid : tid, moment,
		{ of: main ? undefined : post.pid, restores });
	if (!on) {
		return entry(`un${word}`, at);
	}
	return [...(at - post.timestamp < RECENT ? entry(word, made(post.timestamp, at)) : []), ...entry(word, at, true)];
}
/** Returns a handler of a hook that adds report's result to the queue. It never fails, and knows its moment at once. */
function handler(report) {
	return async function (params) {
		try {
			await queue.add(await report(params || {}, now()));
		} catch (err) {
			core('winston').error(`[laurel] not reported: ${err.message}`);
		}
	};
}
/** Returns handlers of hooks with a user, an action and its target. */
function simple(action, kind, of = params => [params.uid, params.pid]) {
	return handler((params, at) => {
		const [user, target] = of(params);
		return { activities: act(user, action, kind, target, at) };
	});
}
exports.upvote = simple('like', 'p');
exports.unvote = simple('unlike', 'p', params => [params.current === 'upvote' && params.uid, params.pid]);
exports.bookmark = simple('bookmark', 'p');
exports.unbookmark = simple('unbookmark', 'p');
const followed = params => [String(params.fromUid) !== String(params.toUid) && params.fromUid, params.toUid];
exports.follow = simple('follow', '', followed);
exports.unfollow = simple('unfollow', '', followed);

let quarter = 0;
const seen = new Set();
/** A visit is reported once in a quarter of an hour, in which no time zone has a midnight; it counts once a day. */
exports.online = handler(({ uid, timestamp }, at) => {
	const when = Math.floor(timestamp / 900000);
	if (when !== quarter) {
		quarter = when;
		seen.clear();
	}
	const known = seen.has(String(uid));
	seen.add(String(uid));
	return { activities: known ? [] : act(uid, 'visit', 'forum', '', Math.min(timestamp, at)) };
});

/**
 * Reports topics as they are now: new, changed, deleted or restored. The title of a topic that guests cannot read is not
 * sent; its author's points are.
 */
async function topicsAre({ topic, topics, tid, fromCid, all }, at) {
	const ids = (topics || [topic || { tid }]).map(one => one.tid).filter(local);
	const fields = ['tid', 'uid', 'cid', 'mainPid', 'title', 'timestamp', 'deleted', 'tags'];
	const found = (await core('./src/topics').getTopicsFields(ids, fields))
		.filter(one => one && local(one.uid) && local(one.mainPid) && one.timestamp <= at); // later: it is scheduled
	const cids = [fromCid, ...found.map(one => one.cid)].filter(local).map(Number);
	const open = await core('./src/privileges').categories.filterCids('topics:read', cids, 0);
	const shown = one => open.includes(Number(one.cid));
	const first = await authors(found.map(one => one.mainPid));
	const moments = await published(found.map(one => one.mainPid));
	found.forEach((one, i) => Object.assign(one, { author: first[i] || String(one.uid), timestamp: moments[i] || one.timestamp }));
	return {
		articles: found.filter(one => all || shown(one) || open.includes(Number(fromCid))).map(one => ({
			id: `p${one.mainPid}`,
			title: (shown(one) && text(one.title, 300)) || `#${one.tid}`,
			author: { id: one.author },
			...(shown(one) && { link: `${core('nconf').get('url')}/topic/${one.tid}`, groups: groups(one) }),
			publishedAt: new Date(one.timestamp).toISOString(),
			changedAt: new Date(at).toISOString(),
			listed: shown(one) && !one.deleted,
		})),
		activities: found.flatMap(one => [ // later than the activities that Laurel restores by the article, which is its first author's
			...(one.author === String(one.uid) ? [] : act(one.author, 'unpublish', 'p', one.mainPid, now())),
			...(shown(one) && one.author === String(one.uid) ? [] :
				written({ ...one, pid: one.mainPid }, one.tid, true, one.uid, !one.deleted, now())),
		]),
		users: found.map(one => String(one.uid)),
	};
}
exports.topic = handler(topicsAre);
/** Reports all topics of categories that guests can read from now on, or not any more. */
async function categories(cids) {
	for (const cid of cids.filter(local)) {
		const tids = await core('./src/database').getSortedSetRange(`cid:${cid}:tids`, 0, -1);
		for (let from = 0; from < tids.length; from += 100) {
			await queue.add(await topicsAre({ topics: tids.slice(from, from + 100).map(tid => ({ tid })), all: true }, now()));
		}
	}
	return {};
}
exports.privileges = handler(({ privileges, cids, members }) => categories(
	[members].flat().includes('guests') && [privileges].flat().includes('groups:topics:read') ? [cids].flat() : []));
exports.category = handler(({ cid, modified }) => categories(modified && 'disabled' in modified ? [cid] : []));
/** A topic that waited for a moderator for days is published when it is shown. */
exports.topicPost = handler(async (params, at) => {
	const { topic, data } = params;
	if (data && data.fromQueue && local(topic.mainPid) && made(topic.timestamp, at) === at) {
		await published([topic.mainPid], at);
	}
	return topicsAre(params, at);
});
/** Returns the groups of a topic: its category and its tags. */
function groups(topic) {
	const tags = (topic.tags || []).map(tag => text(tag.value, 64)).filter(tag => tag && Buffer.byteLength(tag) <= 64);
	return [...new Set([...(local(topic.cid) ? [`c${topic.cid}`] : []), ...tags])].slice(0, 20);
}
exports.topicsPurge = handler(({ topics }) => {
	const main = topics.map(one => one.mainPid).filter(local).map(pid => `p${pid}`);
	const targets = [...main, ...topics.map(one => one.tid).filter(local).map(tid => `t${tid}`)];
	return { deletedArticles: main, voids: targets.map(target => ({ target })) };
});

/** Returns a reply's activity in its topic. */
const comment = (post, action, at, restores) => act(post.uid, action, 't', post.tid, at, { of: post.pid, restores });
exports.reply = handler(({ post }, at) => ({ activities: comment(post, 'comment', made(post.timestamp, at)) }));
/** A reply is taken back wherever it was reported: it may have been moved without a hook. */
const uncomment = (post, at) => comment(post, 'uncomment', at).map(({ target, ...act }) => act);
exports.postDelete = handler(({ post }, at) => ({ activities: uncomment(post, at) }));
exports.postRestore = handler(({ post }, at) => ({ activities: comment(post, 'comment', at, true) }));
exports.postsPurge = handler(({ posts }, at) => ({
	activities: posts.flatMap(post => uncomment(post, at)),
	voids: posts.filter(post => local(post.pid)).map(post => ({ target: `p${post.pid}` })),
}));
/** A reply counts in the topic to which it was moved. */
exports.postMove = handler(async ({ post, tid }, at) => {
	const [from, to] = await core('./src/topics').getTopicsFields([post.tid, tid], ['mainPid']);
	const is = topic => !!topic && String(topic.mainPid) === String(post.pid);
	return {
		activities: [
			...(is(from) ? [] : written(post, post.tid, false, post.uid, false, at)),
			...(is(to) ? [] : written(post, tid, false, post.uid, true, at)),
		],
	};
});
/**
 * Posts get another author: the points of the last two days, too. Laurel's article keeps its first author. The hook's
 * priority has it before NodeBB's own search, which writes the new author into the parameters.
 */
exports.changeOwner = handler(async ({ posts, toUid }, at) => {
	const topics = await core('./src/topics').getTopicsFields(posts.map(post => post.tid), ['mainPid']);
	const activities = [];
	for (const [i, post] of posts.entries()) {
		const main = !!topics[i] && String(topics[i].mainPid) === String(post.pid);
		if (main) {
			await authors([post.pid], post.uid);
		}
		activities.push(...written(post, post.tid, main, post.uid, false, at));
		activities.push(...(post.deleted ? [] : written(post, post.tid, main, toUid, true, at)));
	}
	return { activities };
});

/** The changed user is in data; uid is the one who changed it. */
exports.profile = handler(({ uid, data }) => ({ users: [data ? data.uid : uid].filter(local).map(String) }));
/** A member has joined groups, or left them; those that the owner does not map are nobody's business. */
exports.groups = handler(async ({ uid, groupNames }) => {
	const known = await mapped();
	return { users: [groupNames].flat().some(name => known.has(name)) ? [uid].filter(local).map(String) : [] };
});
/** Comes before the votes are taken back; the queue drops later activities of a user who does not exist any more. */
exports.userDelete = handler(({ uid }) => ({ deletedUsers: [uid].filter(local).map(String) }));
const BANS = 'laurel:bans'; // users by the ends of their bans: NodeBB fires no hook then
const excluded = (uids, is) => ({ exclusions: uids.filter(local).map(uid => ({ user: String(uid), excluded: is })) });
exports.banned = handler(async ({ uid, until }, at) => {
	await core('./src/database')[until > at ? 'sortedSetAdd' : 'sortedSetRemove'](BANS, ...(until > at ? [Number(until), uid] : [uid]));
	return excluded([uid], true);
});
exports.unbanned = handler(async ({ uid }) => {
	await core('./src/database').sortedSetRemove(BANS, uid);
	return excluded([uid], false);
});
/** Reports bans that have ended by themselves. */
exports.bansEnded = handler(async (params, at) => {
	const ended = await core('./src/database').getSortedSetRangeByScore(BANS, 0, 100, 0, at);
	await queue.add(excluded(ended, false));
	await core('./src/database').sortedSetRemove(BANS, ended);
	return {};
});
exports.show = require('./lib/show');
exports.elements = require('./lib/elements');
exports.member = require('./lib/member');
exports.load = async function (params) {
	setInterval(exports.bansEnded, 60000).unref();
	await exports.show.load(params);
};
