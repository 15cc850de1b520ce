'use strict';
// Comparing: the forum's own data show the points that members should have this month, and Laurel names the members who differ.
const { randomUUID } = require('node:crypto');
const { core, settings } = require('./forum');
const queue = require('./queue');

const COMPARED = 'laurel:compared'; // when and since when, the error, the members who differ; and since when the plugin reports
const BACK = 32 * 86400000;

/** Returns members' activities in the forum since a moment, by their ids. */
async function standing(from) {
	const all = {};
	const pids = await core('./src/database').getSortedSetRangeByScore('posts:pid', 0, -1, from, Date.now());
	for (let at = 0; at < pids.length; at += 500) {
		const posts = await core('./src/posts').getPostsFields(pids.slice(at, at + 500), ['pid', 'tid', 'uid', 'timestamp', 'deleted']);
		const topics = await core('./src/topics').getTopicsFields(posts.map(post => post.tid), ['mainPid', 'deleted']);
		posts.forEach((post, i) => {
			const main = String(topics[i].mainPid) === String(post.pid);
			if (post.uid > 0 && !post.deleted && !(main && topics[i].deleted)) {
				const what = main ? { action: 'publish', target: `p${post.pid}` } : { action: 'comment', target: `t${post.tid}`, ref: `p${post.pid}` };
				(all[post.uid] ||= []).push({ user: String(post.uid), at: new Date(Number(post.timestamp)).toISOString(), ...what });
			}
		});
	}
	return all;
}
/** Adds members who are on the board of the month and have nothing in the forum. */
async function onBoard({ url, board }, all) {
	for (let path = `/v1/boards/${encodeURIComponent(board)}/month?limit=100`; path;) {
		const { entries, next } = await (await fetch(url + path)).json();
		(entries || []).forEach(({ user }) => user.id && (all[user.id] ||= []));
		path = next;
	}
}
/** Returns members in groups, each of which is a request: up to 50, or those with some 5,000 posts. */
function groups(all) {
	const some = {};
	let weight = 0;
	for (const id of Object.keys(all)) {
		weight += 100 + all[id].length;
		(some[Math.floor(weight / 5000)] ||= []).push(id);
	}
	return Object.values(some);
}
/** Compares the month, from the first time on or, once Laurel has the history, from its start; and keeps the result. */
exports.compare = async function () {
	const db = core('./src/database');
	const chosen = await settings();
	const since = Number((await db.getObject(COMPARED))?.since || Date.now());
	const found = { since, from: since, at: Date.now(), wrong: '', differ: '[]' };
	try {
		const differ = [];
		const all = await standing(Date.now() - BACK);
		await onBoard(chosen, all);
		for (const some of groups(all)) {
			const compare = { actions: ['comment', 'publish'], users: some, activities: some.flatMap(id => all[id]), since: new Date(since).toISOString() };
			const [wrong, answer] = await queue.call(chosen, `cmp_${randomUUID()}`, JSON.stringify({ compare }), 20000);
			found.wrong = wrong || (answer.compared ? '' : '404 no comparison');
			if (found.wrong) break;
			found.from = Date.parse(answer.compared.since);
			differ.push(...answer.compared.differ.filter(one => !one.apart));
		}
		found.differ = JSON.stringify(differ);
	} catch (err) {
		found.wrong = `no answer: ${err.cause?.code || err.name}`;
	}
	await db.setObject(COMPARED, found);
};
/** Starts again: earlier activities than the pairing are not compared. */
exports.begin = async function () {
	await core('./src/database').setObject(COMPARED, { since: Date.now() });
	await exports.compare();
};
/** Returns when it was compared, from when on, the error, and the members who differ with their differences. */
exports.compared = async function () {
	const { at, from, wrong, differ } = await core('./src/database').getObject(COMPARED) || {};
	return { at: Number(at || 0), from: Number(from || 0), wrong, differ: JSON.parse(differ || '[]') };
};
