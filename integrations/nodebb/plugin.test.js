'use strict';
const assert = require('node:assert');
const crypto = require('node:crypto');
const http = require('node:http');
const test = require('node:test');
const { memory } = require('./harness/database');
const nodebb = require('./harness/nodebb');
const { english } = nodebb;

const hookSecret = 'whsec_MfKQ9r8GKYqrTwjUPD8ILPZIo2LaLaSw';
const userSecret = 'the-users-secret-of-tests-of-32-bytes';
const settings = { url: 'http://127.0.0.1:1/', hookSecret, userSecret, board: 'activity' };

/** Returns a forum of two members, and a function that takes the reports out of its queue. */
async function open(more = {}) {
	const forum = nodebb(memory(), { ...settings, ...more });
	const [ann, bob] = [await forum.register('ann'), await forum.register('bob')];
	const take = async () => {
		const ids = await forum.db.getSortedSetRange('laurel:queue', 0, -1);
		const rows = await forum.db.getObjects(ids.map(id => `laurel:row:${id}`));
		await forum.db.deleteAll(['laurel:queue']);
		return rows.map(one => JSON.parse(one.body));
	};
	/** Returns the activities in the queue in short: "1 like p2", and (ref), and ! for what is restored. */
	const acts = async () => (await take()).flatMap(body => body.activities || []).map(one =>
		`${one.user} ${one.action} ${one.target || 'anywhere'}${one.ref ? ` (${one.ref})` : ''}${one.restores ? ' !' : ''}`);
	return { ...forum, ann, bob, take, acts };
}
/** Returns a Laurel that answers as a test says, and its requests. */
async function laurel(t, answer = () => 200) {
	const got = [];
	const server = http.createServer(async (req, res) => {
		let text = '';
		for await (const part of req) {
			text += part;
		}
		const body = JSON.parse(text);
		const status = await answer(body, got.length);
		got.push({ path: req.url, headers: req.headers, text, body });
		res.writeHead(status, { 'content-type': 'application/json' });
		res.end(JSON.stringify(status === 200 ? {} : { code: 'some_code', detail: 'a-name', errors: [{ location: 'body.users[0].name', code: 'empty', value: 'a-name' }] }));
	});
	await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
	t.after(() => server.closeAllConnections() || server.close());
	return { url: `http://127.0.0.1:${server.address().port}`, got, server };
}

test('an address and a code give the secrets, and the page says how reporting is', async (t) => {
	t.mock.method(globalThis, 'setInterval', () => ({ unref() {} })); // it would send reports of later tests
	const f = await open({ url: '', hookSecret: '', userSecret: '', board: '' });
	const page = async () => {
		let said;
		await f.library.load({ router: f.router = {} });
		await f.router['/admin/plugins/laurel']({}, { render: (name, values) => { said = english(values.status); } });
		return said;
	};
	assert.equal(await page(), 'Not paired yet.');
	const pair = async (url, code) => english(await f.modules['./src/socket.io/admin'].plugins.laurel.pair({ uid: f.ann }, { url, code }));
	const answers = {};
	const server = http.createServer(async (req, res) => {
		let text = '';
		for await (const part of req) {
			text += part;
		}
		const [status, body] = req.url === '/v1/pair' ? answers[JSON.parse(text).code] : answers.report;
		res.writeHead(status, { 'content-type': 'application/json' });
		res.end(JSON.stringify(body));
	});
	await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
	t.after(() => server.closeAllConnections() || server.close());
	const url = `http://127.0.0.1:${server.address().port}`;
	Object.assign(answers, {
		wrong: [403, { code: 'pairing_refused' }], plain: [403, { code: 'tls_required' }], elsewhere: [404, {}], old: [501, { code: 'not_supported' }],
		right: [200, { hookSecret, userSecret, board: 'activity', timezone: 'UTC' }], report: [200, { compared: { differ: [], since: '2026-11-01T00:00:00Z' } }],
	});
	for (const [given, said] of [
		[['forum', 'right'], /^The address has to begin with https/], [['http://boards.example', 'right'], /^The address has to begin with https/],
		[['http://127.0.0.1.example', 'right'], /^The address has to begin with https/], [['http://localhost:1', 'right'], /^Laurel does not answer/],
		[[url, 'wrong'], /^The code is wrong, was used.*403 pairing_refused/], [[url, 'plain'], /over https only/],
		[[url, 'elsewhere'], /no Laurel at this address/], [[url, 'old'], /no secret for plugins/],
	]) {
		assert.match(await pair(...given), said);
		assert.equal(await page(), 'Not paired yet.');
	}
	assert.equal(await pair(`${url}/`, ' right '), '');
	assert.deepEqual(await f.modules['./src/meta'].settings.get(), { url, hookSecret, userSecret, board: 'activity' });
	assert.match(await page(), /^no report yet, 1 waiting, equal to your data at \d\d:\d\d \(compared since 20\d\d-\d\d-\d\d \d\d:\d\d\)$/);
	await f.queue.send();
	assert.match(await page(), /^last report \d s ago, 0 waiting, equal to your data at \d\d:\d\d \(compared since 20\d\d-\d\d-\d\d \d\d:\d\d\)$/);
	answers.report = [401, { code: 'bad_signature' }];
	await f.topic(f.ann, 'With another secret');
	await f.queue.send();
	assert.match(await page(), /^last report \d s ago, 1 waiting\. Laurel does not know this forum’s secret.*401 bad_signature/);
});

test('a topic is the article of its first post, with its category and tags as groups', async () => {
	const f = await open();
	const { tid, pid } = await f.topic(f.ann, 'Ten \u202eways & more\u0007', { tags: 'go,\u200f,a long tag' });
	const [report] = await f.take();
	const [article] = report.articles;
	assert.deepEqual({ ...article, publishedAt: 0, changedAt: 0 }, {
		id: `p${pid}`, title: 'Ten ways & more', author: { id: String(f.ann) }, link: `https://forum.example/sub/topic/${tid}`,
		groups: ['c2', 'go', 'a long tag'], publishedAt: 0, changedAt: 0, listed: true,
	});
	assert.deepEqual(report.users, [String(f.ann)]);
	await f.edit(tid, 'Eleven ways');
	await f.move(tid, 7);
	await f.deleteTopic(tid);
	await f.restoreTopic(tid);
	const said = (await f.take()).map(one => one.articles[0]);
	assert.deepEqual(said.map(one => [one.title, one.groups[0], one.listed]),
		[['Eleven ways', 'c2', true], ['Eleven ways', 'c7', true], ['Eleven ways', 'c7', false], ['Eleven ways', 'c7', true]]);
	const moments = said.map(one => one.changedAt);
	assert.deepEqual(moments, [...new Set(moments)].sort(), 'each change has a later moment');
	assert.ok(said.every(one => one.publishedAt === article.publishedAt));
});

test('the title of a topic that guests cannot read is not sent, its author has the points', async () => {
	const f = await open();
	const { tid } = await f.topic(f.ann, 'A secret', { cid: 9 });
	await f.edit(tid, 'Another secret');
	await f.deleteTopic(tid);
	const said = await f.take();
	assert.doesNotMatch(JSON.stringify(said), /secret/);
	assert.deepEqual(said.map(one => one.activities.map(act => act.action).join()), ['publish,publish', 'publish,publish', 'unpublish']);
	const { tid: other } = await f.topic(f.ann, 'Was public');
	await f.move(other, 9);
	const [, moved] = await f.take();
	assert.deepEqual(moved.articles.map(one => [one.title, one.listed, one.link, one.groups]), [[`#${other}`, false, undefined, undefined]]);
	assert.ok(moved.activities.every(act => act.action === 'publish') && moved.activities.at(-1).at > moved.articles[0].changedAt);
});

test('a category that guests cannot read any more takes its articles out of lists, and back', async () => {
	const f = await open();
	const { tid } = await f.topic(f.ann, 'Was public');
	await f.take();
	const give = more => f.fire('action:privileges.categories.give', { privileges: ['groups:topics:read'], cids: [2], members: ['guests'], ...more });
	await give({ members: ['registered-users', 'spiders'] });
	await give({ privileges: ['groups:topics:create'] });
	await f.fire('action:category.update', { cid: 2, modified: { name: 'Another' } });
	assert.deepEqual(await f.take(), []);
	await f.close(2);
	await f.close(2, false);
	await f.fire('action:category.update', { cid: 2, modified: { disabled: 0 } });
	const said = (await f.take()).flatMap(one => one.articles);
	assert.deepEqual(said.map(one => [one.title, one.listed]), [[`#${tid}`, false], ['Was public', true], ['Was public', true]]);
});

test('a topic that waited for a moderator for days is published when it is shown, and stays of that moment', async () => {
	const f = await open();
	const before = Date.now();
	const { tid } = await f.topic(f.ann, 'Waited', { timestamp: before - 72 * 3600000, fromQueue: true });
	await f.edit(tid, 'Changed');
	const old = await f.topic(f.ann, 'Dated back', { timestamp: before - 72 * 3600000 });
	const [posted, edited, back] = (await f.take()).map(one => one.articles[0]);
	assert.ok(Date.parse(posted.publishedAt) >= before, posted.publishedAt);
	assert.equal(edited.publishedAt, posted.publishedAt);
	assert.equal(back.id, `p${old.pid}`);
	assert.equal(Date.parse(back.publishedAt), before - 72 * 3600000);
});

test('a ban is an exclusion, until it is lifted or ends by itself', async () => {
	const f = await open();
	const bans = async () => (await f.take()).flatMap(one => one.exclusions || []).map(one => `${one.user} ${one.excluded}`);
	await f.ban(f.ann);
	await f.ban(f.bob, Date.now() + 50);
	await f.library.bansEnded();
	assert.deepEqual(await bans(), [`${f.ann} true`, `${f.bob} true`]);
	await new Promise(resolve => setTimeout(resolve, 60));
	await f.library.bansEnded();
	await f.library.bansEnded();
	assert.deepEqual(await bans(), [`${f.bob} false`], 'once, and the other one is banned for good');
	await f.ban(f.bob, Date.now() + 50);
	await f.ban(f.bob);
	await f.unban(f.ann);
	await new Promise(resolve => setTimeout(resolve, 60));
	await f.library.bansEnded();
	assert.deepEqual(await bans(), [`${f.bob} true`, `${f.bob} true`, `${f.ann} false`], 'the last ban counts');
});

test('bans and their ends stay in order when they are sent together', async (t) => {
	const { url, got } = await laurel(t);
	const f = await open({ url });
	for (const what of ['ban', 'unban', 'ban']) {
		await f[what](f.ann);
	}
	await f.queue.send();
	assert.deepEqual(got[0].body.exclusions.at(-1), { user: String(f.ann), excluded: true });
});

test('a scheduled topic is published when it is shown', async () => {
	const f = await open();
	const { tid } = await f.topic(f.ann, 'Later', { timestamp: Date.now() + 60000 });
	assert.deepEqual((await f.take()).map(one => one.articles).filter(Boolean), []);
	await f.publishScheduled(tid);
	assert.equal((await f.take())[0].articles[0].listed, true);
});

test('replies are comments on the topic, with their own id; soft deletion and restoring', async () => {
	const f = await open();
	const { tid } = await f.topic(f.ann, 'Title');
	await f.take();
	const pid = await f.reply(f.bob, tid);
	await f.deletePost(pid);
	await f.restorePost(pid);
	assert.deepEqual(await f.acts(), [`2 comment t1 (p${pid})`, `2 uncomment anywhere (p${pid})`, `2 comment t1 (p${pid}) !`]);
});

test('purging voids others\' activities on posts and topics: arrays, and no hook for votes', async () => {
	const f = await open();
	const { tid, pid } = await f.topic(f.ann, 'Title');
	const reply = await f.reply(f.bob, tid);
	await f.upvote(f.ann, reply);
	await f.take();
	await f.purge([reply]);
	let [report] = await f.take();
	assert.deepEqual(report.voids, [{ target: `p${reply}` }]);
	assert.deepEqual(report.activities.map(one => one.action), ['uncomment']);
	await f.purgeTopic(tid);
	[, report] = await f.take();
	assert.deepEqual(report, { deletedArticles: [`p${pid}`], voids: [{ target: `p${pid}` }, { target: `t${tid}` }] });
});

test('votes: an upvote again is unvote and upvote, a downvote takes an upvote back, and counts for nothing', async () => {
	const f = await open();
	const { pid } = await f.topic(f.ann, 'Title');
	await f.take();
	await f.upvote(f.bob, pid);
	await f.upvote(f.bob, pid);
	await f.downvote(f.bob, pid);
	await f.fire('action:post.unvote', { pid, uid: f.bob, owner: f.ann, current: 'downvote' });
	const sent = (await f.take()).flatMap(one => one.activities);
	assert.deepEqual(sent.map(one => one.action), ['like', 'unlike', 'like', 'unlike']);
	assert.deepEqual([...new Set(sent.map(one => one.target))], [`p${pid}`]);
	const moments = sent.map(one => one.at);
	assert.deepEqual(moments, [...new Set(moments)].sort(), 'what follows in a millisecond has a later moment');
});

test('bookmarks and follows; ids are numbers or texts', async () => {
	const f = await open();
	await f.topic(f.ann, 'Title');
	await f.take();
	await f.bookmark(f.bob, 1);
	await f.bookmark(f.bob, 1);
	await f.follow(f.bob, f.ann);
	await f.follow(f.bob, f.ann);
	await f.fire('action:user.follow', { fromUid: 2, toUid: '2' });
	assert.deepEqual(await f.acts(), ['2 bookmark p1', '2 unbookmark p1', '2 follow 1', '2 unfollow 1']);
});

test('members, posts and topics of other servers, guests and the system are left out', async () => {
	const f = await open();
	await f.take();
	const far = 'https://social.example/users/a/statuses/1';
	for (const uid of [far, 0, -1, '-2', '0', null, undefined, 'system']) {
		await f.fire('action:post.upvote', { pid: 1, uid, owner: 1, current: 'unvote' });
		await f.fire('action:topic.reply', { post: { pid: 3, tid: 1, uid, timestamp: Date.now() } });
		await f.fire('action:user.follow', { fromUid: uid, toUid: 1 });
		await f.fire('static:user.delete', { uid, userData: {} });
		await f.fire('action:user.online', { uid, timestamp: Date.now() });
	}
	await f.fire('action:post.upvote', { pid: far, uid: 1, owner: 1, current: 'unvote' });
	await f.fire('action:topic.reply', { post: { pid: 3, tid: far, uid: 1, timestamp: Date.now() } });
	await f.fire('action:topic.reply', { post: { pid: far, tid: 1, uid: 1, timestamp: Date.now() } });
	await f.fire('action:posts.purge', { posts: [{ pid: far, tid: 1, uid: 1 }] });
	await f.fire('action:user.follow', { fromUid: 1, toUid: far });
	await f.fire('action:topic.edit', { topic: { tid: far } });
	await f.topic(0, 'Of a guest');
	assert.deepEqual(await f.take(), []);
	assert.deepEqual(f.log, []);
});

test('an old post that is approved or imported counts now, and its id stays', async () => {
	const f = await open();
	await f.topic(f.ann, 'Title');
	await f.take();
	await f.fire('action:topic.reply', { post: { pid: 9, tid: 1, uid: 2, timestamp: Date.now() - 5 * 86400000 } });
	await f.fire('action:topic.reply', { post: { pid: 8, tid: 1, uid: 2, timestamp: Date.now() - 86400000 } });
	const [now, then] = (await f.take()).map(one => Date.now() - Date.parse(one.activities[0].at));
	assert.ok(now < 60000 && then >= 86400000, `${now} ${then}`);
});

test('a visit is reported once in a quarter of an hour', async () => {
	const f = await open();
	await f.take();
	const at = Math.floor(Date.now() / 900000) * 900000;
	for (const [uid, timestamp] of [[1, at - 2], [1, at - 1], [2, at - 1], [1, at], [1, at + 1]]) {
		await f.fire('action:user.online', { uid, timestamp });
	}
	assert.deepEqual(await f.acts(), ['1 visit forum', '2 visit forum', '1 visit forum']);
});

test('posts of another author: the points go along, the article keeps its first author', async () => {
	const f = await open();
	const { tid, pid } = await f.topic(f.ann, 'Title');
	const reply = await f.reply(f.ann, tid);
	await f.take();
	await f.changeOwner([pid, reply], f.bob);
	assert.deepEqual(await f.acts(), [
		'1 unpublish p1', '2 publish p1', '2 publish p1 !', '1 uncomment t1 (p2)', '2 comment t1 (p2)', '2 comment t1 (p2) !',
	]);
	await f.deleteTopic(tid);
	await f.restoreTopic(tid);
	const said = await f.take();
	assert.deepEqual(said.map(one => one.articles[0].author.id), ['1', '1']);
	assert.deepEqual(said[1].activities.map(one => `${one.user} ${one.action}`), ['1 unpublish', '2 publish', '2 publish']);
	assert.ok(said[1].activities[0].at > said[1].articles[0].changedAt, 'it is later than what Laurel restores by the article');
});

test('a reply that is moved counts in its new topic; a moved first post is no comment', async () => {
	const f = await open();
	await f.topic(f.ann, 'One');
	const { tid } = await f.topic(f.ann, 'Two');
	const pid = await f.reply(f.bob, 1);
	await f.take();
	await f.movePost(pid, tid);
	assert.deepEqual(await f.acts(), ['2 uncomment t1 (p3)', '2 comment t2 (p3)', '2 comment t2 (p3) !']);
	await f.movePost(1, tid);
	assert.deepEqual(await f.acts(), ['1 comment t2 (p1)', '1 comment t2 (p1) !']);
});

test('only ids, titles and moments are sent of any hook', async (t) => {
	const { url, got } = await laurel(t);
	const f = await open({ url });
	const { tid } = await f.topic(f.ann, 'Title');
	await f.reply(f.bob, tid);
	await f.rename(f.bob, 'Bob B.');
	await f.fire('action:user.loggedIn', { uid: 1, req: { body: { password: 'a-password' } } });
	await f.online(f.ann);
	await f.deleteUser(f.bob);
	await f.queue.send();
	const text = got.map(one => one.text).join() + f.log.join();
	assert.ok(got.length > 0 && text.includes('Title'));
	assert.doesNotMatch(text, /password|a-token|192\.0|a-hash|secret|MfKQ/);
});

test('bodies are signed as Standard Webhooks says', async (t) => {
	const { url, got } = await laurel(t);
	const f = await open({ url: `${url}/` });
	await f.follow(f.ann, f.bob);
	await f.queue.send();
	const [{ path, headers, text }] = got;
	assert.equal(path, '/v1/hooks/standard');
	const sum = crypto.createHmac('sha256', Buffer.from(hookSecret.slice(6), 'base64'))
		.update(`${headers['webhook-id']}.${headers['webhook-timestamp']}.${text}`).digest('base64');
	assert.equal(headers['webhook-signature'], `v1,${sum}`);
	assert.ok(Math.abs(Date.now() / 1000 - headers['webhook-timestamp']) < 60);
});

test('profiles go with members\' activities: the shown name, an absolute picture, the account\'s age', async (t) => {
	const { url, got } = await laurel(t);
	const f = await open({ url });
	await f.register('ada', { displayname: `Ada \u202e ${'long '.repeat(50)}`, picture: '/sub/assets/uploads/profile/ada.png' });
	await f.register('eve', { displayname: '\u200f\u200b\u2066', picture: 'javascript:alert(1)' });
	await f.register('kim', { picture: 'https://cdn.example/kim.png', joindate: 1795337181552 });
	for (const uid of [3, 4, 5]) {
		await f.online(uid);
	}
	await f.rename(f.bob, 'Bob B.', f.ann); // by an administrator
	await f.queue.send();
	const users = Object.fromEntries(got[0].body.users.map(one => [one.id, one]));
	assert.deepEqual(Object.keys(users), ['2', '3', '4', '5'], 'whom an administrator has changed, and not the administrator');
	assert.ok(users[3].name.startsWith('Ada  long') && users[3].name.length <= 100);
	assert.equal(users[3].avatar, 'https://forum.example/sub/assets/uploads/profile/ada.png');
	assert.equal(users[4].name, 'eve');
	assert.equal(users[4].avatar, undefined);
	assert.deepEqual(users[5], {
		id: '5', name: 'kim', link: 'https://forum.example/sub/uid/5', avatar: 'https://cdn.example/kim.png', since: '2026-11-22T08:46:21.552Z',
	});
});

test('groups go with profiles as the owner maps them, and when they change; without a map nothing tells them', async (t) => {
	const { url, got } = await laurel(t);
	const groups = 'administrators = staff\n Global Moderators=staff\r\nRed = house = red\n= x\nBlue =\nlong = ' + 'é'.repeat(40);
	const f = await open({ url, groups });
	const told = async () => (await f.queue.send(), got.splice(0).flatMap(one => one.body.users).map(one => [one.id, one.groups]));
	await f.join(f.ann, 'registered-users', 'administrators', 'Global Moderators');
	assert.deepEqual(await told(), [['1', ['staff']]]);
	await f.join(f.ann, 'registered-users');
	await f.join(f.bob, 'Blue', 'long', 'administrator');
	assert.deepEqual(await told(), []);
	await f.join(f.bob, 'Red');
	await f.leave(f.ann, 'administrators');
	assert.deepEqual(await told(), [['2', ['house = red']], ['1', ['staff']]]);
	await f.leave(f.ann, 'Global Moderators');
	await f.follow(f.bob, f.ann);
	assert.deepEqual(await told(), [['1', []], ['2', ['house = red']]]);
	const plain = await open({ url });
	await plain.join(plain.ann, 'administrators');
	await plain.follow(plain.ann, plain.bob);
	await plain.queue.send();
	assert.deepEqual(got.map(one => one.body.users.map(user => 'groups' in user)), [[false]]);
});

test('a deleted user is erased, and their late activities are not sent', async (t) => {
	const { url, got } = await laurel(t);
	const f = await open({ url });
	const { pid } = await f.topic(f.ann, 'Title');
	await f.upvote(f.bob, pid);
	await f.deleteUser(f.bob); // while reports wait
	await f.queue.send();
	assert.deepEqual(got[0].body.deletedUsers, ['2']);
	assert.deepEqual(got[0].body.users.map(one => one.id), ['1']);
	assert.deepEqual((got[0].body.activities || []).filter(one => one.user === '2'), []);
	await f.fire('action:post.delete', { post: { pid: 9, tid: 1, uid: 2, timestamp: Date.now() } });
	await f.queue.send();
	assert.equal(got.length, 1);
});

test('a report that is not answered with 200 is sent again, in order, after a pause', async (t) => {
	let status = 503;
	const { url, got } = await laurel(t, () => status);
	const f = await open({ url });
	await f.follow(f.ann, f.bob);
	for (status of [503, 401, 429, 500, 404, 302]) {
		await f.queue.send();
		await f.queue.send(); // in the pause nothing is sent
		await f.db.setObject('laurel:state', { due: 0 });
	}
	assert.equal(got.length, 6);
	assert.equal((await f.queue.state()).waiting, 1);
	await f.fire('action:post.upvote', { pid: 1, uid: f.bob, owner: 1, current: 'unvote' });
	status = 200;
	await f.queue.send();
	assert.deepEqual(got[6].body.activities.map(one => one.action), ['follow', 'like']);
	assert.equal((await f.queue.state()).waiting, 0);
	assert.equal((await f.db.getObject('laurel:state')).tries, '0');
});

test('pauses become longer, up to a quarter of an hour', async (t) => {
	const { url } = await laurel(t, () => 503);
	const f = await open({ url });
	await f.follow(f.ann, f.bob);
	const pauses = [];
	for (let n = 0; n < 10; n++) {
		await f.queue.send();
		pauses.push(Math.round(((await f.db.getObject('laurel:state')).due - Date.now()) / 5000) * 5);
		await f.db.setObject('laurel:state', { due: 0 });
	}
	assert.deepEqual(pauses, [5, 10, 20, 40, 80, 160, 320, 640, 640, 640]);
});

test('a report that is refused for good is dropped, named in the log without its body, and the rest is sent', async (t) => {
	const bad = body => (body.activities || []).some(one => one.target === 'p13');
	const { url, got } = await laurel(t, body => (bad(body) ? 422 : 200));
	const f = await open({ url });
	for (const pid of [11, 12, 13, 14]) {
		await f.fire('action:post.upvote', { pid, uid: 1, owner: 2, current: 'unvote' });
	}
	const ids = await f.db.getSortedSetRange('laurel:queue', 0, -1);
	await f.queue.send();
	assert.deepEqual(got.slice(1).map(one => one.body.activities.map(act => act.target).join()), ['p11', 'p12', 'p13', 'p14']);
	assert.equal((await f.queue.state()).waiting, 0);
	assert.deepEqual(f.log, [`[laurel] dropped: ${ids[2]}: 422 some_code body.users[0].name empty`]);
});

test('a Laurel that hangs is left after 2.5 seconds, and members do not wait', async (t) => {
	let answer;
	const hang = new Promise((resolve) => { answer = resolve; });
	const { url } = await laurel(t, () => hang);
	t.after(() => answer(200));
	const f = await open({ url });
	await f.follow(f.ann, f.bob);
	const sending = f.queue.send();
	await f.fire('action:post.upvote', { pid: 1, uid: f.bob, owner: 1, current: 'unvote' }); // comes back while it hangs
	await sending;
	const state = await f.queue.state();
	assert.equal(state.waiting, 2);
	assert.match(state.error, /no answer: TimeoutError/);
});

test('one of several processes sends', async (t) => {
	const { url, got } = await laurel(t);
	const f = await open({ url });
	const others = [f.another(), f.another(), f.another()];
	for (let n = 0; n < 5; n++) {
		await f.fire('action:post.upvote', { pid: 20 + n, uid: 1, owner: 2, current: 'unvote' });
		await Promise.all([f, ...others].map(one => one.queue.send()));
	}
	const targets = got.flatMap(one => one.body.activities).map(one => one.target);
	assert.deepEqual(targets, [...new Set(targets)]);
	assert.deepEqual(targets, targets.toSorted());
	assert.ok(targets.length > 0, 'somebody sends');
});

test('a request has place for 50 reports and a hundred of each part', async (t) => {
	const { url, got } = await laurel(t);
	const f = await open({ url });
	const posts = Array.from({ length: 250 }, (_, n) => ({ pid: 1000 + n, tid: 1, uid: 1, timestamp: Date.now() }));
	await f.fire('action:posts.purge', { posts });
	for (let n = 0; n < 120; n++) {
		await f.fire('action:post.upvote', { pid: 20 + n, uid: 1, owner: 2, current: 'unvote' });
	}
	await f.queue.send();
	await f.queue.send();
	for (const { body } of got) {
		assert.ok((body.voids || []).length <= 100 && body.activities.length <= 500);
	}
	assert.equal(new Set(got.flatMap(one => one.body.voids || []).map(one => one.target)).size, 250);
	assert.equal(new Set(got.flatMap(one => one.body.activities).map(one => `${one.action} ${one.target} ${one.ref}`)).size, 370);
	assert.ok(got.length <= 8, `${got.length} requests`);
});

test('without an address nothing is kept, and the oldest of too many reports are dropped', async () => {
	const f = await open({ url: '' });
	await f.follow(f.ann, f.bob);
	assert.equal((await f.queue.state()).waiting, 0);
	const full = await open();
	for (let n = 0; n < 100003; n++) {
		await full.db.sortedSetAdd('laurel:queue', n, `row${n}`);
	}
	await full.queue.trim();
	assert.equal((await full.queue.state()).waiting, 100000);
});

test('a visitor\'s token is this visitor\'s for 15 minutes; a guest gets none', async () => {
	const f = await open();
	const router = {};
	await f.library.load({ router });
	const ask = async (uid) => {
		const answer = { status: 200, headers: {} };
		const res = {
			set: (name, value) => { answer.headers[name] = value; },
			status: (status) => { answer.status = status; return res; },
			json: (body) => { answer.body = body; return res; },
		};
		await router['/laurel/token']({ uid }, res);
		return answer;
	};
	const { body, headers } = await ask(7);
	assert.equal(headers['Cache-Control'], 'no-store');
	const [head, claims, sum] = body.token.split('.');
	const said = JSON.parse(Buffer.from(claims, 'base64url'));
	assert.deepEqual([said.sub, said.aud, said.exp - said.iat], ['7', 'laurel', 900]);
	assert.equal(sum, crypto.createHmac('sha256', userSecret).update(`${head}.${claims}`).digest('base64url'));
	for (const uid of [0, -1, undefined, 'https://social.example/users/a']) {
		assert.equal((await ask(uid)).status, 401);
	}
	f.modules['./src/meta'].settings.get = async () => ({ userSecret: 'short' });
	assert.equal((await ask(7)).status, 501);
});

test('widgets are the elements, with the visitor\'s own row and choices in place of free text', async (t) => {
	const server = http.createServer((req, res) => res.end(JSON.stringify({ boards: [{ board: 'help', labels: { en: 'Help & more' }, windows: ['month'] }] })));
	await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
	t.after(() => server.closeAllConnections() || server.close());
	const url = `http://127.0.0.1:${server.address().port}`;
	const f = await open({ board: 'a"b', url });
	const render = async (uid, data, kind = '') => (await f.fire(`filter:widget.render:laurel${kind}`, { uid, data })).html;
	const script = `<script type="module" src="${url}/embed/laurel.js"></script>`;
	assert.equal(await render(0, { layout: 'podium', limit: '3' }), `${script}<laurel-board board="a&#34;b" windows="day month" layout="podium" limit="3" ` +
		'style="--laurel-room:15.4em"></laurel-board>');
	assert.match(await render(7, { 'windows-week': 'on', 'windows-7d': 'on', 'windows-contest': 'on', 'windows-hour': 'on', layout: 'huge', limit: 'x' }),
		/windows="week 7d contest" layout="table" limit="10" user="7" token-url="\/sub\/laurel\/token"/);
	assert.equal(await render(7, { window: 'week', limit: '5000' }, '-winners'), `${script}<laurel-winners board="a&#34;b" window="week" limit="31" ` +
		'style="--laurel-room:24em"></laurel-winners>');
	assert.match(await render(7, {}, '-friends'), /<laurel-board .*friends="friends"/);
	for (const kind of ['-friends', '-standing', '-days']) {
		assert.equal(await render(0, {}, kind), '', 'a guest sees nothing of what is a member\'s own');
		assert.match(await render(7, {}, kind), /user="7"/);
	}
	const widgets = await f.fire('filter:widgets.getWidgets', []);
	assert.ok((await render(7, { window: '7d' }, '-winners')).includes(' window="month" '), 'winners of a window without any');
	const windows = kind => [...widgets.find(one => one.widget === `laurel-${kind}`).content.matchAll(/option value="(day|all|7d|30d|contest)"/g)].map(found => found[1]);
	assert.deepEqual([windows('winners'), windows('standing')], [['day', 'contest'], ['day', 'all', '7d', '30d', 'contest']]);
	assert.deepEqual(widgets.map(one => one.widget), ['laurel', 'laurel-friends', 'laurel-standing', 'laurel-days', 'laurel-hot', 'laurel-winners']);
	assert.match(widgets[0].content, /<option value="help">Help &#38; more<\/option>.*type="checkbox" name="windows-day".*<option value="podium">.*min="1" max="100"/s);
	assert.ok(widgets.every(one => !one.content.includes('type="text"')));
	assert.deepEqual((await f.fire('filter:admin.header.build', { plugins: [] })).plugins[0].route, '/plugins/laurel');
	const empty = await open({ url: '' });
	assert.equal((await empty.fire('filter:widget.render:laurel', { uid: 0, data: {} })).html, '');
	assert.match((await empty.fire('filter:widgets.getWidgets', []))[0].content, /<option value="activity">/, 'without Laurel the board that is set');
});

test('a member hides in the settings and comes back; an error keeps nothing', async (t) => {
	const got = [];
	const state = { status: 200, boards: 'shown' };
	const server = http.createServer(async (req, res) => {
		let text = '';
		for await (const part of req) {
			text += part;
		}
		got.push(`${req.method} ${req.url} ${JSON.parse(Buffer.from(req.headers.authorization.split('.')[1], 'base64url')).sub}`);
		Object.assign(state, text && state.status === 200 ? JSON.parse(text) : {});
		res.writeHead(state.status);
		res.end(JSON.stringify({ boards: state.boards, days: 'private' }));
	});
	await new Promise(resolve => server.listen(0, '127.0.0.1', resolve));
	t.after(() => server.closeAllConnections() || server.close());
	const f = await open({ url: `http://127.0.0.1:${server.address().port}` });
	const form = async (uid, of = uid) => {
		const { customSettings } = await f.fire('filter:user.customSettings', { uid, settings: { uid: of }, customSettings: [] });
		return customSettings.map(one => one.content).join();
	};
	const save = laurelShown => f.fire('filter:user.saveSettings', { uid: 7, settings: {}, data: { postsPerPage: 20, laurelShown } });
	assert.match(await form(7), /data-property="laurelShown" checked>/);
	await save(0);
	assert.match(await form(7), /data-property="laurelShown">/);
	await save('1');
	assert.match(await form(7), / checked>/);
	assert.equal(await form(1, 7), '', 'an administrator has no switch of another member');
	assert.equal(await form(0), '');
	await save(undefined);
	const address = '/v1/users/7/visibility 7';
	assert.deepEqual(got, ['GET', 'PUT', 'GET', 'PUT', 'GET'].map(method => `${method} ${address}`));
	state.status = 503;
	assert.match(await form(7), /role="alert">\[\[laurel:unheard\]\]/);
	await assert.rejects(save(0), /\[\[laurel:unheard\]\]/);
	assert.equal(state.boards, 'shown');
	const unpaired = await open({ userSecret: '' });
	assert.deepEqual((await unpaired.fire('filter:user.customSettings', { uid: 7, settings: { uid: 7 }, customSettings: [] })).customSettings, []);
});

test('settings of config.json come first, and stay out of the database', async (t) => {
	const { url, got } = await laurel(t);
	const f = nodebb(memory(), { url: 'http://127.0.0.1:1' }, { laurel: { url, hookSecret } });
	await f.register('ann');
	await f.online(1);
	await f.queue.send();
	assert.equal(got.length, 1);
});
