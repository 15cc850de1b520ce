'use strict';
// The queue, in the forum's database: a member's act adds a row, and one of the forum's processes sends rows in order.
const crypto = require('node:crypto');
const { core, settings, existing, profiles } = require('./forum');

const QUEUE = 'laurel:queue'; // a sorted set of rows by their moments
const STATE = 'laurel:state'; // after an error: the error, how often it came, and when to try again
const MOST = { activities: 500, users: 100, articles: 100, deletedArticles: 100, voids: 100, exclusions: 100, deletedUsers: 100 }; // in a request
const ROWS = 50; // in a request
const KEPT = 100000; // more rows are not kept
const TIMEOUT = 2500;
const SLOT = 10000; // how long one process sends before another may
const row = id => `laurel:row:${id}`;
let last = 0;

/** Adds reports to the queue, in rows that a request has place for. */
exports.add = async function (report) {
	const parts = Object.entries(report).filter(([, list]) => list && list.length);
	if (!(await settings()).url) {
		return;
	}
	for (let from = 0; parts.some(([, list]) => list.length > from); from += 100) {
		const some = Object.fromEntries(parts.map(([part, list]) => [part, list.slice(from, from + 100)]));
		last = Math.max(Date.now(), last + 1);
		const id = `${last}-${crypto.randomBytes(6).toString('hex')}`;
		await core('./src/database').setObject(row(id), { body: JSON.stringify(some) });
		await core('./src/database').sortedSetAdd(QUEUE, last, id);
	}
};

let mine = 0;
let asked = 0;
/** Asks for a slot of time, which the first process that asks gets. */
async function ask(slot) {
	if (asked < slot) {
		asked = slot;
		const key = `laurel:sender:${slot}`;
		mine = await core('./src/database').increment(key) === 1 ? slot : mine;
		await core('./src/database').pexpire(key, 6 * SLOT);
	}
}
/** Returns whether this process may send now. A sender asks for the next slot before it begins, so sending continues. */
async function claim(now) {
	const slot = Math.floor(now / SLOT);
	const ending = now % SLOT > SLOT - TIMEOUT - 500;
	await ask(slot);
	if (mine === slot && ending) {
		await ask(slot + 1);
	}
	return mine > slot || (mine === slot && !ending);
}

/** Returns as many of the rows as one request has place for, put together, and their number. */
function together(rows) {
	const all = {};
	let count = 0;
	for (const body of rows) {
		if (count && Object.entries(body).some(([part, list]) => (all[part]?.size || 0) + list.length > MOST[part])) {
			break;
		}
		for (const [part, list] of Object.entries(body)) {
			all[part] ||= new Map();
			for (const one of list) { // once, at its last place: a ban and its end keep their order
				all[part].delete(JSON.stringify(one));
				all[part].set(JSON.stringify(one), one);
			}
		}
		count += 1;
	}
	return [Object.fromEntries(Object.entries(all).map(([part, list]) => [part, [...list.values()]])), count];
}
/** Returns a body with the profiles of its users, without activities of users who do not exist any more. */
async function complete(body) {
	const uids = [...new Set([...(body.users || []), ...(body.activities || []).map(one => one.user)])];
	const there = await existing(uids);
	const all = {
		...body,
		activities: (body.activities || []).filter(one => there.includes(one.user)),
		users: await profiles(there.slice(0, MOST.users)),
	};
	return Object.fromEntries(Object.entries(all).filter(([, list]) => list.length));
}

let alone = 0; // rows that are sent one by one, as all together were refused
/** Sends the oldest rows together, if it is time for them and this process may. Returns whether to continue. */
async function sendSome() {
	const db = core('./src/database');
	const chosen = await settings();
	const ids = await db.getSortedSetRange(QUEUE, 0, alone ? 0 : ROWS - 1);
	const state = ids.length && await db.getObject(STATE);
	const tries = Number(state?.tries || 0);
	if (!ids.length || !chosen.url || Date.now() < Number(state?.due || 0) || !await claim(Date.now())) {
		return false;
	}
	const rows = (await db.getObjects(ids.map(row))).map(one => JSON.parse(one?.body || '{}'));
	const [body, count] = together(rows);
	const sent = ids.slice(0, count);
	const whole = await complete(body);
	const error = Object.keys(whole).length ? await exports.post(chosen, `msg_${sent[0]}_${count}`, JSON.stringify(whole)) : '';
	const refused = /^4(13|15|22)\b/.test(error); // it will never be taken
	if (refused && count > 1) {
		alone = count;
		return true;
	}
	if (error) {
		core('winston').warn(`[laurel] ${refused ? 'dropped' : 'sent again later'}: ${sent.join(' ')}: ${error}`);
		const pause = 5000 * (2 ** Math.min(tries, 7)); // 5 s, 10 s, ... 640 s
		const next = refused ? {} : { tries: tries + 1, due: Date.now() + pause };
		await db.setObject(STATE, { error: `${new Date().toISOString()} ${error}`, ...next });
	} else {
		await db.setObject(STATE, { tries: 0, due: 0, sent: Date.now() });
	}
	if (error && !refused) {
		return false;
	}
	alone = Math.max(0, alone - count);
	await remove(sent);
	return true;
}
/** Removes rows. */
async function remove(ids) {
	await core('./src/database').sortedSetRemove(QUEUE, ids);
	await core('./src/database').deleteAll(ids.map(row));
}

let busy = false;
/** Sends due rows. It never fails. */
exports.send = async function () {
	if (busy) {
		return;
	}
	busy = true;
	try {
		while (await sendSome());
	} catch (err) {
		core('winston').error(`[laurel] not sent: ${err.message}`);
	}
	busy = false;
};
/** Drops the oldest rows where there are too many. */
exports.trim = async function () {
	const db = core('./src/database');
	const over = await db.sortedSetCard(QUEUE) - KEPT;
	if (over > 0) {
		await remove(await db.getSortedSetRange(QUEUE, 0, Math.min(over, 1000) - 1));
		core('winston').warn(`[laurel] more than ${KEPT} reports wait: the oldest are dropped`);
	}
};
/** Returns how many reports wait, the last error and how often it came, and when the last report was sent. */
exports.state = async function () {
	const db = core('./src/database');
	const { error = '-', tries, sent } = await db.getObject(STATE) || {};
	return { waiting: await db.sortedSetCard(QUEUE), error, tries: Number(tries || 0), sent: Number(sent || 0) };
};

/** Sends a body. Returns '', or the status and the error, without the body. */
exports.post = async (chosen, id, body) => (await exports.call(chosen, id, body, TIMEOUT))[0];
/** Sends a body as Standard Webhooks says. Returns the error, or '', and the answer. */
exports.call = async function ({ url, hookSecret }, id, body, timeout) {
	const secret = String(hookSecret || '');
	const key = secret.startsWith('whsec_') ? Buffer.from(secret.slice(6), 'base64') : secret;
	const at = String(Math.floor(Date.now() / 1000));
	const sum = crypto.createHmac('sha256', key).update(`${id}.${at}.${body}`).digest('base64');
	const headers = { 'content-type': 'application/json', 'webhook-id': id, 'webhook-timestamp': at, 'webhook-signature': `v1,${sum}` };
	try {
		const signal = AbortSignal.timeout(timeout);
		const answer = await fetch(`${url}/v1/hooks/standard`, { method: 'POST', headers, body, signal, redirect: 'manual' });
		const said = await answer.json().catch(() => ({}));
		const errors = (said.errors || []).slice(0, 5).map(one => `${one.location} ${one.code}`).join(', ');
		return [answer.status === 200 ? '' : `${answer.status} ${said.code || ''} ${errors}`.trim(), said];
	} catch (err) {
		return [`no answer: ${err.cause?.code || err.name}`];
	}
};
