'use strict';
// A stand-in for NodeBB's database, with the functions that the plugin uses. As a program it keeps one for several
// forums, over HTTP: it outlives those that are killed, as a forum's database does.
const http = require('node:http');

/** Returns a database in memory. Its functions take and return the values of NodeBB's on Redis, where all are texts. */
function memory() {
	const objects = new Map();
	const sets = new Map(); // of members' scores
	const object = key => objects.get(key) || {};
	const set = (key) => {
		sets.has(key) || sets.set(key, new Map());
		return sets.get(key);
	};
	const texts = values => Object.fromEntries(Object.entries(values).map(([name, value]) => [name, String(value)]));
	return {
		async setObject(key, values) { objects.set(key, { ...object(key), ...texts(values) }); },
		async setObjectField(key, field, value) { objects.set(key, { ...object(key), [field]: String(value) }); },
		async getObject(key) { return objects.has(key) ? { ...object(key) } : null; },
		async getObjects(keys) { return keys.map(key => (objects.has(key) ? { ...object(key) } : null)); },
		async getObjectFields(key, fields) { return Object.fromEntries(fields.map(field => [field, object(key)[field] ?? null])); },
		async deleteAll(keys) { keys.forEach(key => objects.delete(key) + sets.delete(key)); },
		async increment(key) {
			objects.set(key, { data: Number(object(key).data || 0) + 1 });
			return object(key).data;
		},
		async pexpire() { /* nothing lasts here */ },
		async sortedSetAdd(key, score, value) { set(key).set(String(value), Number(score)); },
		async sortedSetRemove(key, values) { [].concat(values).forEach(value => set(key).delete(String(value))); },
		async getSortedSetRangeByScore(key, from, count, min, max) {
			return [...set(key)].filter(([, score]) => score >= min && score <= max).map(([value]) => value).slice(from, count < 0 ? undefined : from + count);
		},
		async sortedSetCard(key) { return set(key).size; },
		async sortedSetScore(key, value) { return set(key).get(String(value)) ?? null; },
		async isSortedSetMembers(key, values) { return values.map(value => set(key).has(String(value))); },
		async getSortedSetRange(key, start, stop) {
			const all = [...set(key)].sort(([a, x], [b, y]) => x - y || (a < b ? -1 : 1)).map(([value]) => value);
			return all.slice(start, stop === -1 ? undefined : stop + 1);
		},
	};
}

/** Returns the database of the program at an address. */
function remote(address) {
	return new Proxy({}, {
		get: (_, name) => async (...args) => {
			const answer = await fetch(address, { method: 'POST', body: JSON.stringify([name, ...args]) });
			return (await answer.json()).result;
		},
	});
}
module.exports = { memory, remote };

if (require.main === module) {
	const db = memory();
	const server = http.createServer(async (req, res) => {
		let text = '';
		for await (const part of req) {
			text += part;
		}
		const [name, ...args] = JSON.parse(text);
		res.end(JSON.stringify({ result: await db[name](...args) }));
	});
	server.listen(0, '127.0.0.1', () => console.log(`http://127.0.0.1:${server.address().port}`));
}
