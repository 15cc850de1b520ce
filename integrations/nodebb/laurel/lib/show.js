'use strict';
// The token of a visitor, and the page of settings.
const queue = require('./queue');
const { pair, status, lines } = require('./pair');
const { begin, compare, compared } = require('./compare');
const { boards } = require('./elements');
const { sign } = require('./member');
const { core, settings } = require('./forum');

/** Starts sending, and adds the routes. */
exports.load = async function ({ router }) {
	const helpers = core('./src/routes/helpers');
	helpers.setupApiRoute(router, 'get', '/laurel/token', [], token);
	helpers.setupAdminPageRoute(router, '/admin/plugins/laurel', async (req, res) => {
		const state = await queue.state();
		const found = await compared();
		const differ = lines(found.differ).map(line => ({ line }));
		const error = state.error === '-' ? '' : state.error;
		res.render('admin/plugins/laurel', { title: 'Laurel', error, status: await status(state, found), differ, boards: await boards(res.locals?.config?.userLang) });
	});
	core('./src/socket.io/admin').plugins.laurel = { // for administrators alone
		pair: async function ({ uid }, given) {
			const wrong = await pair(given || {});
			await queue.add(wrong ? {} : { users: [String(uid)] }); // a first report
			await (wrong ? null : begin());
			return wrong;
		},
		compare,
	};
	setInterval(queue.send, 1000).unref();
	setInterval(queue.trim, 60000).unref();
	if (core('nconf').get('runJobs')) { // in one of the processes
		setInterval(async () => (await settings()).url && compare(), 3600000).unref();
	}
};
exports.menu = async function (header) {
	header.plugins.push({ route: '/plugins/laurel', icon: 'fa-trophy', name: 'Laurel' });
	return header;
};
/** Answers with a token of the visitor for 15 minutes; the session's cookie names the visitor. */
async function token(req, res) {
	const { userSecret } = await settings();
	res.set('Cache-Control', 'no-store');
	if (!(req.uid > 0)) {
		return res.status(401).json({ error: 'not logged in' });
	}
	if (String(userSecret || '').length < 32) {
		return res.status(501).json({ error: 'the secret of tokens is not set' });
	}
	return res.json({ token: sign(req.uid, userSecret) });
}
