'use strict';
// Pairing: the owner types Laurel's address and a code, for which the forum gets the secrets; and words for what is wrong.
const { core, settings } = require('./forum');

const words = [
	[/pairing_refused|^422/, 'The code is wrong, was used, or is older than ten minutes. Make another one: laurel pair.'],
	[/tls_required/, 'Laurel sends secrets over https only: type its https address.'],
	[/^401/, 'Laurel does not know this forum’s secret, or a clock is wrong. Pair again.'],
	[/^(200|404|405)/, 'There is no Laurel at this address.'],
	[/^501/, 'This Laurel has no secret for plugins. Let laurel serve make its secrets, or run laurel pair for the stack.'],
	[/^429/, 'Laurel takes no more requests at the moment. Try again in a minute.'],
	[/^\d{3}/, 'Laurel answers with an error.'],
	[/./, 'Laurel does not answer. Does it run, and can this server reach the address?'],
];
/** Returns what an owner can do about an error: a status with a code, or why there was no answer. */
exports.words = error => words.filter(([form]) => form.test(error)).slice(0, 1).map(([, text]) => `${text} (${error})`).join();

/** Pairs. Returns '', or what is wrong, in the owner's words. */
exports.pair = async function ({ url, code }) {
	const address = String(url || '').trim().replace(/\/+$/, '');
	const { protocol, hostname } = URL.canParse(address) ? new URL(address) : {};
	const here = /^(localhost|127\.\d+\.\d+\.\d+|\[::1\])$/.test(hostname);
	if (protocol !== 'https:' && !(protocol === 'http:' && here)) {
		return 'The address has to begin with https://, as secrets come from there. ' +
			'Only for a Laurel on this server it may be http://localhost:8080.';
	}
	try {
		const [headers, body] = [{ 'content-type': 'application/json' }, JSON.stringify({ code: String(code || '').trim() })];
		const signal = AbortSignal.timeout(10000);
		const answer = await fetch(`${address}/v1/pair`, { method: 'POST', headers, body, signal, redirect: 'manual' });
		const got = await answer.json().catch(() => ({}));
		if (answer.status !== 200 || !got.hookSecret) {
			return exports.words(`${answer.status} ${got.code || ''}`.trim());
		}
		const { board } = await core('./src/meta').settings.get('laurel');
		const { hookSecret, userSecret = '' } = got;
		await core('./src/meta').settings.set('laurel', { url: address, board: board || got.board, hookSecret, userSecret });
		return '';
	} catch (err) {
		return exports.words(`no answer: ${err.cause?.code || err.name}`);
	}
};

/** Returns how reporting is, by what the queue says. */
exports.status = async function ({ waiting, tries, error, sent }, compared) {
	const { url, hookSecret } = await settings();
	if (!url || !hookSecret) {
		return 'Not paired yet.';
	}
	const ago = Math.round((Date.now() - sent) / 1000);
	const when = !sent ? 'no report yet' : `last report ${ago < 120 ? `${ago} s` : `${Math.round(ago / 60)} min`} ago`;
	const wrong = tries ? `. ${exports.words(error.replace(/^\S+ /, ''))}` : ''; // without its moment
	return `${when}, ${waiting} waiting${wrong}${wrong ? ' ' : ', '}${equal(compared)}`;
};
/** Returns whether boards are what the forum's own data say. */
function equal({ at, wrong, differ }) {
	if (!at) {
		return 'not compared yet';
	}
	const when = new Date(at).toLocaleTimeString([], { hour: '2-digit', minute: '2-digit', hour12: false });
	if (wrong) {
		return `not compared with your data at ${when}: ${exports.words(wrong)}`;
	}
	const who = differ.length === 1 ? '1 member differs' : `${differ.length} members differ`;
	return differ.length ? `${who} from your data at ${when}` : `equal to your data at ${when}`;
}

const kinds = { missing: 'in NodeBB, not in Laurel', undone: 'in NodeBB, taken back in Laurel', surplus: 'in Laurel, not in NodeBB' };
/** Returns a line for each thing by which a member differs. */
exports.lines = differ => differ.flatMap(({ user, name, should, has, differences }) => differences.slice(0, 20).map(one => `${name || user}, ` +
	`${should} points by your data, ${has} in Laurel: ${[one.action, one.target, one.ref, one.forum].filter(Boolean).join(' ')}: ` +
	`${kinds[one.kind] || 'not the same in both'}`));
