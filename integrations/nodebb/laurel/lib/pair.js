'use strict';
// Pairing: the owner types Laurel's address and a code, for which the forum gets the secrets; and how reporting is.
// Texts are NodeBB's [[laurel:...]], which it translates on the page.
const { core, settings } = require('./forum');

const words = [
	[/pairing_refused|^422/, '[[laurel:wrong-code]]'],
	[/tls_required/, '[[laurel:needs-tls]]'],
	[/^401/, '[[laurel:wrong-secret]]'],
	[/^(200|404|405)/, '[[laurel:not-there]]'],
	[/^501/, '[[laurel:no-secret]]'],
	[/^429/, '[[laurel:busy]]'],
	[/^\d{3}/, '[[laurel:fails]]'],
	[/./, '[[laurel:no-answer]]'],
];
/** Returns an owner's remedy for an error: a status with a code, or the reason why there was no answer. */
exports.words = error => words.filter(([form]) => form.test(error)).slice(0, 1).map(([, text]) => `${text} (${error})`).join();

/** Pairs. Returns '', or the error, in the owner's words. */
exports.pair = async function ({ url, code }) {
	const address = String(url || '').trim().replace(/\/+$/, '');
	const { protocol, hostname } = URL.canParse(address) ? new URL(address) : {};
	const here = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
	if (protocol !== 'https:' && !(protocol === 'http:' && here)) {
		return '[[laurel:needs-https]]';
	}
	try {
		const [headers, body] = [{ 'content-type': 'application/json' }, JSON.stringify({ code: String(code || '').trim() })];
		const signal = AbortSignal.timeout(10000);
		const answer = await fetch(`${address}/v1/pair`, { method: 'POST', headers, body, signal, redirect: 'manual' });
		const got = await answer.json().catch(() => ({}));
		if (answer.status !== 200 || !got.hookSecret) {
			return exports.words(`${answer.status} ${String(got.code || '').replace(/\W+/g, ' ').slice(0, 40)}`.trim());
		}
		const { board } = await core('./src/meta').settings.get('laurel');
		const { hookSecret, userSecret = '' } = got;
		await core('./src/meta').settings.set('laurel', { url: address, board: board || got.board, hookSecret, userSecret });
		return '';
	} catch (err) {
		return exports.words(`no answer: ${err.cause?.code || err.name}`);
	}
};

/** Returns the state of reports, by the queue. */
exports.status = async function ({ waiting, tries, error, sent }, compared) {
	const { url, hookSecret } = await settings();
	if (!url || !hookSecret) {
		return '[[laurel:unpaired]]';
	}
	const ago = Math.round((Date.now() - sent) / 1000);
	const since = ago < 120 ? `[[laurel:ago-seconds, ${ago}]]` : `[[laurel:ago-minutes, ${Math.round(ago / 60)}]]`;
	const wrong = tries ? `. ${exports.words(error.replace(/^\S+ /, ''))}` : ''; // without its moment
	return `[[laurel:status, ${sent ? since : '[[laurel:no-report]]'}, ${waiting}]]${wrong}${wrong ? ' ' : ', '}${equal(compared)}`;
};
/** Returns whether boards equal the forum's own data. */
function equal({ at, from, wrong, differ }) {
	if (!at) {
		return '[[laurel:not-compared-yet]]';
	}
	const when = new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hour12: false });
	if (wrong) {
		return `[[laurel:not-compared, ${when}]]: ${exports.words(wrong)}`;
	}
	const who = differ.length === 1 ? `[[laurel:differs-one, ${when}]]` : `[[laurel:differs, ${differ.length}, ${when}]]`;
	const since = `[[laurel:compared-since, ${new Date(from).toLocaleString('sv').slice(0, 16)}]]`;
	return `${differ.length ? who : `[[laurel:equal, ${when}]]`} ${since}`;
}

const kinds = { missing: '[[laurel:missing]]', undone: '[[laurel:undone]]', surplus: '[[laurel:surplus]]' };
/** Returns a line for each thing by which a member differs; names are in no text's arguments, where commas part them. */
exports.lines = differ => differ.flatMap(({ user, name, should, has, differences }) => differences.slice(0, 20).map(one =>
	`${name || user}: [[laurel:points, ${should}, ${has}]]: ${[one.action, one.target, one.ref, one.forum].filter(Boolean).join(' ')}: ` +
	`${kinds[one.kind] || '[[laurel:not-same]]'}`));
