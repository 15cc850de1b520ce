'use strict';
// A process of a forum: takes what members do as lines of JSON, ["upvote", 2, 3], and answers each with one.
// FORUM_DATABASE is the address of its database, FORUM_SETTINGS are the plugin's as JSON.
const readline = require('node:readline');
const database = require('./database');
const nodebb = require('./nodebb');

const forum = nodebb(database.remote(process.env.FORUM_DATABASE), JSON.parse(process.env.FORUM_SETTINGS));
forum.library.show.load({ router: {} });
forum.waiting = async () => {
	await forum.db.setObject('laurel:state', { due: 0 }); // as if the pause after an error were over
	return (await forum.queue.state()).waiting;
};
forum.send = () => forum.queue.send();
forum.lines = async () => forum.log;
forum.hooks = async () => forum.fired.map(one => JSON.stringify(one));
const keep = setInterval(() => {}, 1000);
const input = readline.createInterface({ input: process.stdin });
input.on('line', async (line) => {
	const [what, ...args] = JSON.parse(line);
	let answer;
	try {
		answer = { result: await forum[what](...args) };
	} catch (err) {
		answer = { error: err.stack };
	}
	process.stdout.write(`${JSON.stringify(answer)}\n`);
});
input.on('close', () => clearInterval(keep));
