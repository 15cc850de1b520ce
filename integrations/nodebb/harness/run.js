'use strict';
// A process of a forum: takes members' acts as lines of JSON, ["upvote", 2, 3], and answers each with one.
// FORUM_DATABASE is the address of its database, FORUM_SETTINGS are the plugin's as JSON.
const readline = require('node:readline');
const database = require('./database');
const nodebb = require('./nodebb');

const forum = nodebb(database.remote(process.env.FORUM_DATABASE), JSON.parse(process.env.FORUM_SETTINGS));
forum.library.load({ router: {} });
forum.waiting = async () => {
	await forum.db.setObject('laurel:state', { due: 0 }); // as if the pause after an error were over
	return (await forum.queue.state()).waiting;
};
forum.send = () => forum.queue.send();
forum.compare = async () => {
	await forum.db.setObject('laurel:compared', { since: Date.now() - 40 * 86400000 });
	await forum.modules['./src/socket.io/admin'].plugins.laurel.compare();
	return forum.db.getObject('laurel:compared');
};
/** A reply of which nothing was reported, eleven minutes ago. */
forum.lost = async (uid, tid) => {
	const [pid, timestamp] = [await forum.db.increment('nextPid'), Date.now() - 660000];
	await forum.db.setObject(`post:${pid}`, { pid, tid, uid, timestamp, deleted: 0 });
	await forum.db.sortedSetAdd('posts:pid', timestamp, pid);
	return pid;
};
/** The possible acts of members now: the arguments of each, as JSON. */
forum.rows = async (what) => {
	const ids = key => forum.db.getSortedSetRange(key, 0, -1);
	const all = async (kind, key) => forum.db.getObjects((await ids(key)).map(id => `${kind}:${id}`));
	const users = (await ids('users:joindate')).map(Number);
	const [topics, posts] = [await all('topic', 'topics:tid'), await all('post', 'posts:pid')];
	const replies = posts.filter(p => !topics.some(t => t.mainPid === p.pid));
	const by = (list, id) => users.flatMap(uid => list.map(one => [uid, Number(one[id])]));
	const of = (list, id, deleted) => list.filter(one => Number(one.deleted) === deleted).map(one => [Number(one[id])]);
	const rows = {
		topic: users.map(uid => [uid, `Title ${topics.length}`]),
		reply: by(topics, 'tid'),
		upvote: by(posts, 'pid'),
		unvote: by(posts, 'pid'),
		bookmark: by(posts, 'pid'),
		follow: users.flatMap(uid => users.filter(other => other !== uid).map(other => [uid, other])),
		deletePost: of(replies, 'pid', 0),
		restorePost: of(replies, 'pid', 1),
		deleteTopic: of(topics, 'tid', 0),
		restoreTopic: of(topics, 'tid', 1),
		purge: replies.map(p => [[Number(p.pid)]]),
		rename: users.map(uid => [uid, `Name ${posts.length}`]),
	};
	return rows[what].map(row => JSON.stringify(row));
};
forum.lines = async () => forum.log;
const keep = setInterval(() => {}, 1000);
const input = readline.createInterface({ input: process.stdin });
input.on('line', async (line) => {
	const [what, ...args] = JSON.parse(line);
	try {
		process.stdout.write(`${JSON.stringify(await forum[what](...args) ?? null)}\n`);
	} catch (err) {
		process.stderr.write(`${err.stack}\n`);
		process.exit(1);
	}
});
input.on('close', () => clearInterval(keep));
