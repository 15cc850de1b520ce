'use strict';
// A process of a forum: takes what members do as lines of JSON, ["upvote", 2, 3], and answers each with one.
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
