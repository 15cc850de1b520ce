'use strict';
// A stand-in for NodeBB: members' acts change its database and fire its hooks, with the parameters that NodeBB 4.15.1
// was recorded with or has in its source, and in its order. Secrets of those, as in `req`, are made up here.
const crypto = require('node:crypto');
const fs = require('node:fs');
const path = require('node:path');
const members = require('./members');

const plugin = path.join(__dirname, '../laurel');
const clone = value => JSON.parse(JSON.stringify(value));
const texts = JSON.parse(fs.readFileSync(path.join(plugin, 'languages/en-GB/laurel.json'), 'utf8'));
const number = value => (value === undefined || value === null ? value : Number(value));

/** Returns a forum with the plugin in it; db may be shared with others. */
module.exports = function forum(db, settings = {}, config = {}) {
	const log = [];
	const closed = new Set([9]); // categories for members only
	const fields = {
		topic: ['tid', 'uid', 'cid', 'mainPid', 'timestamp', 'deleted'], post: ['pid', 'tid', 'uid', 'timestamp', 'deleted'], user: ['uid', 'joindate'],
	};
	/** Returns something of the database with numbers as NodeBB has them, or null. */
	async function read(kind, id) {
		const found = await db.getObject(`${kind}:${id}`);
		fields[kind].forEach(field => found && field in found && (found[field] = number(found[field])));
		return found && kind === 'topic' ? { ...found, tags: (found.tags || '').split(',').filter(Boolean).map(value => ({ value })) } : found;
	}
	const modules = {
		nconf: { get: name => ({ url: 'https://forum.example/sub', relative_path: '/sub', ...config })[name] },
		winston: { error: line => log.push(line), warn: line => log.push(line) },
		jsonwebtoken: { sign: sign },
		'./src/database': db,
		'./src/meta': { settings: { get: async () => ({ ...settings }), set: async (name, values) => { Object.assign(settings, values); } } },
		'./src/socket.io/admin': { plugins: {} },
		'./src/user': {
			exists: uids => db.isSortedSetMembers('users:joindate', uids),
			getUsersFields: uids => Promise.all(uids.map(async uid => await read('user', uid) || { uid: 0, username: '[[global:guest]]' })),
		},
		'./src/groups': {
			isMemberOfGroups: (uid, names) => Promise.all(names.map(async name => (await db.isSortedSetMembers(`group:${name}:members`, [uid]))[0])),
		},
		'./src/topics': {
			getTopicsFields: tids => Promise.all(tids.map(tid => read('topic', tid))),
		},
		'./src/posts': { getPostsFields: pids => Promise.all(pids.map(pid => read('post', pid))) },
		'./src/privileges': { categories: { filterCids: async (privilege, cids, uid) => cids.filter(cid => uid > 0 || !closed.has(cid)) } },
		'./src/routes/helpers': {
			setupApiRoute: (router, verb, name, middlewares, handler) => { router[name] = handler; },
			setupAdminPageRoute: (router, name, handler) => { router[name] = handler; },
		},
	};
	const { library, queue } = load(modules);
	const hooks = {};
	const priorities = {};
	for (const { hook, method, priority } of JSON.parse(fs.readFileSync(path.join(plugin, 'plugin.json'), 'utf8')).hooks) {
		const found = method.split('.').reduce((memo, name) => memo[name], library);
		if (typeof found !== 'function') {
			throw new Error(`plugin.json: no method ${method}`);
		}
		hooks[hook] = found;
		priorities[hook] = priority || 10;
	}
	/** Fires a hook, to whose parameters NodeBB adds the caller, with a member's session and headers. */
	async function fire(hook, params) {
		const caller = { uid: 1, req: { ip: '192.0.2.7', body: { password: 'a-password' }, headers: { authorization: 'Bearer a-token' } } };
		const given = hook.startsWith('filter:') ? params : { ...clone(params), caller };
		if (hook === 'action:post.changeOwner' && priorities[hook] >= 10) { // as nodebb-plugin-dbsearch does
			given.posts.forEach((post) => { post.uid = given.toUid; });
		}
		return hooks[hook] && hooks[hook](given);
	}
	/** Returns the plugin of another process of the same forum. */
	const another = () => load(modules);
	return { db, log, fire, queue, library, modules, another, ...members(db, fire, read, closed) };
};

/** Returns a text in English, as NodeBB's translator does: arguments first. */
module.exports.english = function english(text) {
	const said = text.replace(/\[\[laurel:([\w-]+)([^[\]]*)\]\]/g, (token, key, given) =>
		given.split(',').reduce((memo, value, i) => memo.replaceAll(`%${i}`, value.trim()), texts[key]));
	return said === text ? text : english(said);
};

/** Returns the plugin as a process of NodeBB loads it: nothing is shared with another one but the database. */
function load(modules) {
	Object.keys(require.cache).filter(name => name.startsWith(plugin)).forEach(name => delete require.cache[name]);
	require.main.require = name => modules[name];
	return { library: require(path.join(plugin, 'library.js')), queue: require(path.join(plugin, 'lib/queue.js')) };
}

function sign(claims, secret, { subject, audience, expiresIn, algorithm }) {
	const now = Math.floor(Date.now() / 1000);
	const encode = value => Buffer.from(JSON.stringify(value)).toString('base64url');
	const text = `${encode({ alg: algorithm, typ: 'JWT' })}.${encode({ ...claims, sub: subject, aud: audience, iat: now, exp: now + expiresIn })}`;
	return `${text}.${crypto.createHmac('sha256', secret).update(text).digest('base64url')}`;
}
