'use strict';
// The elements of pages: Laurel's as widgets, with choices in place of free text.
const { core, settings } = require('./forum');

const escape = value => String(value).replace(/[&<>"']/g, c => `&#${c.charCodeAt(0)};`);
const words = {
	day: '[[laurel:window-day]]', week: '[[laurel:window-week]]', month: '[[laurel:window-month]]',
	quarter: '[[laurel:window-quarter]]', year: '[[laurel:window-year]]', all: '[[laurel:window-all]]',
	'7d': '[[laurel:window-7d]]', '30d': '[[laurel:window-30d]]', contest: '[[laurel:window-contest]]',
	table: '[[laurel:layout-table]]', podium: '[[laurel:layout-podium]]', compact: '[[laurel:layout-compact]]',
};
const WINDOWS = ['day', 'week', 'month', 'quarter', 'year', 'all', '7d', '30d', 'contest'];
const ENDING = WINDOWS.filter(window => !/^(all|\d+d)$/.test(window)); // they have winners
const LAYOUTS = ['table', 'podium', 'compact'];
// Of each kind: the element, its title, its choices, and whether it is a member's own.
const kinds = {
	board: ['laurel-board', '[[laurel:kind-board]]', ['board', 'windows', 'layout', 'limit']],
	friends: ['laurel-board', '[[laurel:kind-friends]]', ['board', 'windows', 'layout', 'limit'], true],
	standing: ['laurel-standing', '[[laurel:kind-standing]]', ['board', 'window'], true],
	days: ['laurel-heatmap', '[[laurel:kind-days]]', ['board'], true],
	hot: ['laurel-hot', '[[laurel:kind-hot]]', ['limit']],
	winners: ['laurel-winners', '[[laurel:kind-winners]]', ['board', 'window', 'limit']],
};
/** Returns the choices as far as they are valid; numbers have limits. */
function chosen(kind, given, board) {
	const [rows, most] = kind === 'winners' ? [3, 31] : [10, 100];
	const one = (name, all, otherwise) => (all.includes(given[name]) ? given[name] : otherwise);
	const all = {
		board: /^[\w.-]{1,64}$/.test(given.board || '') ? given.board : board,
		windows: WINDOWS.filter(window => given[`windows-${window}`]).join(' ') || 'day month',
		window: one('window', kind === 'winners' ? ENDING : WINDOWS, 'month'),
		layout: one('layout', LAYOUTS, 'table'),
		limit: Math.min(most, Math.max(1, parseInt(given.limit, 10) || rows)),
	};
	return Object.fromEntries(kinds[kind][2].map(name => [name, all[name]]));
}
/** Returns how high an element will be, so that nothing moves when it is there. */
function room(kind, { limit = 10, layout, user }) {
	const rows = Math.min(10, limit);
	const fixed = { standing: 1.6, days: 12, hot: 3.7 * rows, winners: 8 * Math.min(3, rows) };
	const board = { compact: (2.04 * rows) + 3, podium: (2.64 * rows) + 7.5, table: (2.64 * rows) + 5 };
	return `${Number((fixed[kind] || board[layout] + (user ? 6 : 0)).toFixed(1))}em`;
}
/** Returns a handler that renders a widget: guests see none of a member's own data. */
const renders = kind => async function (widget) {
	const { url, board } = await settings();
	const [name, , , own] = kinds[kind];
	const all = chosen(kind, widget.data || {}, board);
	if (widget.uid > 0 && kind !== 'winners') {
		Object.assign(all, { user: widget.uid, 'token-url': `${core('nconf').get('relative_path') || ''}/laurel/token` });
	}
	Object.assign(all, kind === 'friends' && { friends: 'friends' }, { style: `--laurel-room:${room(kind, all)}` });
	const element = `<${name} ${Object.entries(all).map(([a, value]) => `${a}="${escape(value)}"`).join(' ')}></${name}>`;
	widget.html = url && (!own || widget.uid > 0) ? `<script type="module" src="${escape(url)}/embed/laurel.js"></script>${element}` : '';
	return widget;
};
exports.render = Object.fromEntries(Object.keys(kinds).map(kind => [kind, renders(kind)]));

/** Returns Laurel's boards with their titles in a language; where it does not answer, the one that is set. */
exports.boards = async function (language) {
	const { url, board } = await settings();
	try {
		const answer = await fetch(`${url}/v1/boards`, { signal: AbortSignal.timeout(3000), redirect: 'manual' });
		const { boards } = await answer.json();
		const title = ({ board: name, labels }) => labels[String(language || '').slice(0, 2)] || labels.en || name;
		return boards.map(one => ({ name: one.board, title: title(one), selected: one.board === board }));
	} catch (err) {
		return [{ name: board, title: board, selected: true }];
	}
};
/** Adds a widget for each kind, with its form. */
exports.widgets = async function (widgets) {
	const boards = await exports.boards(core('./src/meta').config?.defaultLang);
	const field = (label, input) => `<div class="mb-3"><label class="form-label">${label} ${input}</label></div>`;
	const select = (name, options) => `<select class="form-select" name="${name}">${options.map(([value, text]) => `<option value="${escape(value)}">${text}</option>`).join('')}</select>`;
	const fields = kind => ({
		board: field('[[laurel:board]]', select('board', boards.map(({ name, title }) => [name, escape(title)]))),
		windows: `<fieldset class="mb-3"><legend class="form-label fs-6">[[laurel:windows]]</legend>${WINDOWS.map(window =>
			`<label class="me-3"><input type="checkbox" name="windows-${window}"> ${words[window]}</label>`).join('')}</fieldset>`,
		window: field('[[laurel:window]]', select('window', ['month', ...(kind === 'winners' ? ENDING : WINDOWS).filter(window => window !== 'month')].map(window => [window, words[window]]))),
		layout: field('[[laurel:layout]]', select('layout', LAYOUTS.map(layout => [layout, words[layout]]))),
		limit: field('[[laurel:limit]]', `<input type="number" class="form-control" name="limit" min="1" max="${kind === 'winners' ? 31 : 100}" placeholder="${kind === 'winners' ? 3 : 10}">`),
	});
	for (const [kind, [, title, names]] of Object.entries(kinds)) {
		const content = names.map(name => fields(kind)[name]).join('');
		widgets.push({ widget: kind === 'board' ? 'laurel' : `laurel-${kind}`, name: `Laurel: ${title}`, description: '[[laurel:widget]]', content });
	}
	return widgets;
};
