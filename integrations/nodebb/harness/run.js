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
