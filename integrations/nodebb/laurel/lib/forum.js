'use strict';
// The parts of NodeBB that the plugin needs: its modules, the settings, texts that may be shown, and members' names.

/** Returns a module of NodeBB's core. */
const core = name => require.main.require(name);
exports.core = core;

/** Returns the settings: url, hookSecret, userSecret, board, groups. Those in config.json under "laurel" come first. */
exports.settings = async function () {
	const all = { board: 'activity', ...await core('./src/meta').settings.get('laurel'), ...core('nconf').get('laurel') };
	return { ...all, url: String(all.url || '').trim().replace(/\/+$/, '') };
};

/** Returns a text on one line, without characters that no text has, such as overrides of direction, cut off; '' if nothing shows. */
function text(given, most) {
	const plain = String(given ?? '').toWellFormed().replace(/[\t-\r\u0085\u2028\u2029]+/gu, ' ')
		.replace(/[\p{Cc}\u202A-\u202E\u2066-\u2069]|\p{Noncharacter_Code_Point}/gu, '').trim();
	return /[^\p{Z}\p{Cc}\p{Cf}\p{Cn}\p{M}\u115F\u1160\u2800\u3164\uFFA0]/u.test(plain) ? Array.from(plain).slice(0, most).join('').trim() : '';
}
exports.text = text;

/** Returns the first publishers of articles that another member owns now; with an owner, remembers the former one. */
exports.authors = async function (pids, owner) {
	const known = await core('./src/database').getObjectFields('laurel:authors', pids.map(String)) || {};
	if (owner && !known[pids[0]]) {
		await core('./src/database').setObjectField('laurel:authors', String(pids[0]), String(owner));
	}
	return pids.map(pid => known[pid]);
};

/** Returns when topics that waited for a moderator were published; with a moment, remembers it. */
exports.published = async function (pids, moment) {
	if (moment) {
		await core('./src/database').setObjectField('laurel:published', String(pids[0]), moment);
	}
	const known = await core('./src/database').getObjectFields('laurel:published', pids.map(String)) || {};
	return pids.map(pid => Number(known[pid]) || 0);
};

/** Returns those of some users that exist; one who is being deleted does not. */
exports.existing = async function (uids) {
	const there = uids.length ? await core('./src/user').exists(uids) : [];
	return uids.filter((uid, i) => there[i]);
};
/** Returns Laurel's groups by the forum's, of the setting's lines: "forum group = group". */
exports.mapped = async function () {
	const pairs = String((await exports.settings()).groups || '').split('\n').map((line) => {
		const at = line.indexOf('=');
		return [line.slice(0, Math.max(at, 0)).trim(), text(line.slice(at + 1), 64)];
	});
	return new Map(pairs.filter(([name, group]) => name && group && Buffer.byteLength(group) <= 64 && !/^\.\.?$/.test(group)));
};
/** Returns the groups that members are in, as the owner maps them; nothing where none are: Laurel keeps those that it has. */
async function groupsOf(uids) {
	const groups = await exports.mapped();
	const names = [...groups.keys()];
	return Promise.all(uids.map(async (uid) => {
		const is = names.length ? await core('./src/groups').isMemberOfGroups(uid, names) : [];
		return names.length ? { groups: [...new Set(names.filter((name, i) => is[i]).map(name => groups.get(name)))].slice(0, 20) } : {};
	}));
}
/** Returns users' profiles as Laurel takes them. */
exports.profiles = async function (uids) {
	const forum = core('nconf').get('url');
	const fields = ['uid', 'username', 'fullname', 'picture', 'joindate']; // of which NodeBB makes displayname
	const users = uids.length ? await core('./src/user').getUsersFields(uids, fields) : [];
	const shown = users.filter(user => user && user.uid > 0);
	const groups = await groupsOf(shown.map(user => user.uid));
	return shown.map((user, i) => {
		const avatar = user.picture && URL.canParse(user.picture, forum) ? new URL(user.picture, forum).href : '';
		return {
			id: String(user.uid),
			name: text(user.displayname, 100) || text(user.username, 100) || String(user.uid),
			link: `${forum}/uid/${user.uid}`,
			...(avatar && /^https?:/.test(avatar) && avatar.length < 2000 && { avatar }),
			...(user.joindate > 0 && { since: new Date(user.joindate).toISOString() }),
			...groups[i],
		};
	});
};
