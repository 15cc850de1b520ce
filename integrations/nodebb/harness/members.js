'use strict';
// The acts of members and moderators of the stand-in, and the board by the forum's own data.

module.exports = function members(db, fire, read, closed) {
	const it = {};
	const post = pid => read('post', pid);
	const votes = (pid, kind) => db.getSortedSetRange(`pid:${pid}:${kind}`, 0, -1);

	it.register = async function (username, more = {}) {
		const uid = await db.increment('nextUid');
		await db.setObject(`user:${uid}`, { uid, username, displayname: username, joindate: Date.now() - 1000, ...more });
		await db.sortedSetAdd('users:joindate', Date.now(), uid);
		await fire('action:user.create', { user: { uid, username }, data: { username, password: 'a-password' } });
		return uid;
	};
	it.rename = async function (uid, displayname, caller = uid) {
		await db.setObject(`user:${uid}`, { displayname });
		await fire('action:user.updateProfile', { uid: caller, data: { fullname: displayname, uid: String(uid) }, fields: ['email'], oldData: { uid } });
	};
	it.join = async function (uid, ...groupNames) {
		await Promise.all(groupNames.map(name => db.sortedSetAdd(`group:${name}:members`, Date.now(), uid)));
		await fire('action:group.join', { groupNames, uid });
	};
	it.leave = async function (uid, ...groupNames) {
		await Promise.all(groupNames.map(name => db.sortedSetRemove(`group:${name}:members`, uid)));
		await fire('action:group.leave', { groupNames, uid });
	};
	it.online = uid => fire('action:user.online', { uid, timestamp: Date.now() });
	/** Bans for good, or until a moment. At it NodeBB lets the member in and fires nothing. */
	it.ban = (uid, until = 0) => fire('action:user.banned', { callerUid: 1, ip: '192.0.2.7', uid: String(uid), until: until || undefined, reason: '' });
	it.unban = uid => fire('action:user.unbanned', { callerUid: 1, ip: '192.0.2.7', uid: String(uid) });
	/** A topic that waited for a moderator has the moment of its writing. */
	it.topic = async function (uid, title, { fromQueue = false, ...more } = {}) {
		const [tid, pid] = [await db.increment('nextTid'), await db.increment('nextPid')];
		const timestamp = more.timestamp || Date.now();
		const deleted = timestamp > Date.now() ? 1 : 0; // a scheduled one
		await db.setObject(`topic:${tid}`, { tid, uid, cid: 2, mainPid: pid, title, timestamp, deleted, tags: '', ...more });
		await db.setObject(`post:${pid}`, { pid, tid, uid, timestamp, deleted: 0 });
		await db.sortedSetAdd('topics:tid', timestamp, tid);
		await db.sortedSetAdd(`cid:${more.cid || 2}:tids`, timestamp, tid);
		await db.sortedSetAdd(`tid:${tid}:posts`, timestamp, pid);
		await db.sortedSetAdd('posts:pid', timestamp, pid);
		await fire('action:topic.post', { topic: { ...await read('topic', tid), user: { uid } }, post: await post(pid), data: { req: { ip: '192.0.2.7' }, fromQueue } });
		return { tid, pid };
	};
	it.publishScheduled = async function (tid) {
		await db.setObject(`topic:${tid}`, { timestamp: Date.now(), deleted: 0 });
		await fire('action:topics.scheduled.notify', { posts: [], topics: [{ ...await read('topic', tid), deleted: 1, scheduled: false }] });
	};
	it.reply = async function (uid, tid) {
		const [pid, timestamp] = [await db.increment('nextPid'), Date.now()];
		await db.setObject(`post:${pid}`, { pid, tid, uid, timestamp, deleted: 0 });
		await db.sortedSetAdd(`tid:${tid}:posts`, timestamp, pid);
		await db.sortedSetAdd('posts:pid', timestamp, pid);
		await fire('action:topic.reply', { post: { ...await post(pid), user: { uid }, topic: await read('topic', tid) }, data: { tid: String(tid) } });
		return pid;
	};
	it.edit = async function (tid, title) {
		await db.setObject(`topic:${tid}`, { title });
		const topic = await read('topic', tid);
		await fire('action:topic.edit', { topic: { tid, cid: topic.cid, uid: topic.uid, mainPid: String(topic.mainPid), title }, uid: topic.uid });
	};
	/** Takes guests' privilege to read a category's topics, or gives it back. */
	it.close = async function (cid, is = true) {
		closed[is ? 'add' : 'delete'](cid);
		await fire(`action:privileges.categories.${is ? 'rescind' : 'give'}`, { privileges: ['groups:topics:read'], cids: [cid], members: ['guests'] });
	};
	it.move = async function (tid, cid) {
		const fromCid = (await read('topic', tid)).cid;
		await db.sortedSetRemove(`cid:${fromCid}:tids`, tid);
		await db.sortedSetAdd(`cid:${cid}:tids`, Date.now(), tid);
		await db.setObject(`topic:${tid}`, { cid });
		await fire('action:topic.move', { cid, uid: 1, fromCid, toCid: cid, tid: String(tid) });
	};
	it.deleteTopic = (tid, deleted = 1) => db.setObject(`topic:${tid}`, { deleted }).then(async () => fire(
		`action:topic.${deleted ? 'delete' : 'restore'}`, { topic: { ...await read('topic', tid), tags: [] }, uid: 1 }));
	it.restoreTopic = tid => it.deleteTopic(tid, 0);
	it.purgeTopic = async function (tid) {
		const topic = await read('topic', tid);
		await it.purge(await db.getSortedSetRange(`tid:${tid}:posts`, 0, -1));
		await db.sortedSetRemove('topics:tid', tid);
		await fire('action:topic.purge', { topic, uid: 1 });
		await fire('action:topics.purge', { topics: [{ ...topic, tags: [] }], uid: 1 });
		await db.deleteAll([`topic:${tid}`]);
	};
	it.deletePost = (pid, deleted = 1) => db.setObject(`post:${pid}`, { deleted }).then(async () => fire(
		`action:post.${deleted ? 'delete' : 'restore'}`, { post: { ...await post(pid), cid: 2, content: 'text' }, uid: 1 }));
	it.restorePost = pid => it.deletePost(pid, 0);
	/** Purges posts: their votes and bookmarks are dropped without a hook. */
	it.purge = async function (pids) {
		const posts = await Promise.all(pids.map(post));
		for (const { pid, tid } of posts) {
			await db.deleteAll([`pid:${pid}:upvote`, `pid:${pid}:bookmark`]);
			await db.sortedSetRemove(`tid:${tid}:posts`, pid);
			await db.sortedSetRemove('posts:pid', pid);
		}
		await fire('action:posts.purge', { posts: posts.map(one => ({ ...one, topic: { tid: one.tid, cid: 2 }, cid: 2 })), uid: 1 });
		await db.deleteAll(pids.map(pid => `post:${pid}`));
	};
	it.movePost = async function (pid, tid) {
		const was = await post(pid);
		await db.setObject(`post:${pid}`, { tid });
		await db.sortedSetRemove(`tid:${was.tid}:posts`, pid);
		await db.sortedSetAdd(`tid:${tid}:posts`, was.timestamp, pid);
		await fire('action:post.move', { uid: 1, post: { tid: was.tid, uid: was.uid, timestamp: was.timestamp, pid }, tid: String(tid) });
	};
	it.changeOwner = async function (pids, toUid) {
		const posts = await Promise.all(pids.map(post));
		for (const { pid, tid } of posts) {
			const topic = await read('topic', tid);
			await db.setObject(`post:${pid}`, { uid: toUid });
			topic.mainPid === pid && await db.setObject(`topic:${tid}`, { uid: toUid });
		}
		await fire('action:post.changeOwner', { posts, toUid });
	};
	/** Votes as votes.js does: a member's earlier upvote is taken back first. */
	it.upvote = async function (uid, pid) {
		await it.unvote(uid, pid);
		await db.sortedSetAdd(`pid:${pid}:upvote`, Date.now(), uid);
		await fire('action:post.upvote', { pid, uid, owner: (await post(pid)).uid, current: 'unvote' });
	};
	it.unvote = async function (uid, pid) {
		if ((await votes(pid, 'upvote')).includes(String(uid))) {
			await db.sortedSetRemove(`pid:${pid}:upvote`, uid);
			await fire('action:post.unvote', { pid, uid, owner: (await post(pid)).uid, current: 'upvote' });
		}
	};
	it.downvote = async function (uid, pid) {
		await it.unvote(uid, pid);
		await fire('action:post.downvote', { pid, uid, owner: (await post(pid)).uid, current: 'unvote' });
	};
	it.bookmark = async function (uid, pid) {
		const has = (await votes(pid, 'bookmark')).includes(String(uid));
		await db[has ? 'sortedSetRemove' : 'sortedSetAdd'](`pid:${pid}:bookmark`, ...(has ? [uid] : [Date.now(), uid]));
		await fire(`action:post.${has ? 'unbookmark' : 'bookmark'}`, { pid: String(pid), uid, owner: 1, current: has ? 'bookmarked' : 'unbookmarked' });
	};
	it.follow = async function (fromUid, toUid) {
		const has = (await db.getSortedSetRange(`following:${fromUid}`, 0, -1)).includes(String(toUid));
		await db[has ? 'sortedSetRemove' : 'sortedSetAdd'](`following:${fromUid}`, ...(has ? [toUid] : [Date.now(), toUid]));
		await fire(`action:user.${has ? 'unfollow' : 'follow'}`, { fromUid, toUid: String(toUid) });
	};
	/** Deletes an account: the votes are taken back after the hook; bookmarks and follows go silently, posts stay. */
	it.deleteUser = async function (uid) {
		await db.sortedSetRemove('users:joindate', uid);
		await fire('static:user.delete', { uid: String(uid), userData: { ...await read('user', uid), password: 'a-hash' } });
		for (const pid of (await it.posts()).map(one => one.pid)) {
			await it.unvote(uid, pid);
		}
		await db.deleteAll([`user:${uid}`]);
		await fire('action:user.delete', { callerUid: 1, uid: String(uid), ip: '192.0.2.7', user: {} });
	};

	it.topics = async () => Promise.all((await db.getSortedSetRange('topics:tid', 0, -1)).map(tid => read('topic', tid)));
	it.posts = async function () {
		const pids = await Promise.all((await it.topics()).map(({ tid }) => db.getSortedSetRange(`tid:${tid}:posts`, 0, -1)));
		return Promise.all(pids.flat().map(post));
	};
	/** Returns each member's points and name, and each listed article's title. Visits are those of online. */
	it.says = async function (visitors = []) {
		const points = {};
		const add = (uid, n) => { points[uid] = (points[uid] || 0) + n; };
		const [topics, posts] = [await it.topics(), await it.posts()];
		visitors.forEach(uid => add(uid, 1));
		topics.filter(one => !one.deleted).forEach(one => add(one.uid, 10));
		const main = topics.map(one => one.mainPid);
		posts.filter(one => !one.deleted && !main.includes(one.pid)).forEach(one => add(one.uid, 3));
		for (const { pid } of posts) {
			for (const uid of [...await votes(pid, 'upvote'), ...await votes(pid, 'bookmark')]) {
				add(uid, 2);
			}
		}
		const users = await db.getSortedSetRange('users:joindate', 0, -1);
		const board = {};
		for (const uid of users) {
			add(uid, 2 * (await db.getSortedSetRange(`following:${uid}`, 0, -1)).length);
			if (points[uid]) {
				board[uid] = { score: points[uid], name: (await read('user', uid)).displayname };
			}
		}
		return { board, articles: Object.fromEntries(topics.filter(one => !one.deleted && !closed.has(one.cid)).map(one => [`p${one.mainPid}`, one.title])) };
	};
	return it;
};
