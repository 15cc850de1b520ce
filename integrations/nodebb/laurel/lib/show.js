'use strict';
// What people see: the board as a widget, the token of a visitor, the page of settings.
const queue = require('./queue');
const { pair, status, lines } = require('./pair');
const { begin, compare, compared } = require('./compare');
const { core, settings } = require('./forum');

const escape = value => String(value).replace(/[&<>"']/g, c => `&#${c.charCodeAt(0)};`);

/** Starts sending, and adds the routes. */
exports.load = async function ({ router }) {
	const helpers = core('./src/routes/helpers');
	helpers.setupApiRoute(router, 'get', '/laurel/token', [], token);
	helpers.setupAdminPageRoute(router, '/admin/plugins/laurel', async (req, res) => {
		const state = await queue.state();
		const found = await compared();
		const differ = lines(found.differ).map(line => ({ line }));
		res.render('admin/plugins/laurel', { title: 'Laurel', error: state.error, status: await status(state, found), differ });
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
/** Answers with a token of the visitor for 15 minutes; the session's cookie says who asks. */
async function token(req, res) {
	const { userSecret } = await settings();
	res.set('Cache-Control', 'no-store');
	if (!(req.uid > 0)) {
		return res.status(401).json({ error: 'not logged in' });
	}
	if (String(userSecret || '').length < 32) {
		return res.status(501).json({ error: 'the secret of tokens is not set' });
	}
	const claims = { algorithm: 'HS256', subject: String(req.uid), audience: 'laurel', expiresIn: 15 * 60 };
	return res.json({ token: core('jsonwebtoken').sign({}, userSecret, claims) });
}

const fields = [
	['windows', '[[laurel:windows]]', 'day month'],
	['layout', '[[laurel:layout]]', 'table podium compact'],
	['limit', '[[laurel:limit]]', '10'],
];
exports.widgets = async function (widgets) {
	const inputs = fields.map(([name, label, hint]) => `<div class="mb-3"><label class="form-label">${label}</label>` +
		`<input type="text" class="form-control" name="${name}" placeholder="${hint}"></div>`);
	widgets.push({ widget: 'laurel', name: 'Laurel', description: '[[laurel:widget]]', content: inputs.join('') });
	return widgets;
};
exports.widget = async function (widget) {
	const { url, board } = await settings();
	const { windows, layout, limit } = widget.data || {};
	const own = widget.uid > 0 && { user: widget.uid, 'token-url': `${core('nconf').get('relative_path') || ''}/laurel/token` };
	const all = Object.entries({ board, windows: windows || 'day month', layout, limit, ...own }).filter(([, value]) => value);
	const element = `<laurel-board ${all.map(([name, value]) => `${name}="${escape(value)}"`).join(' ')}></laurel-board>`;
	widget.html = url ? `<script type="module" src="${escape(url)}/embed/laurel.js"></script>${element}` : '';
	return widget;
};
