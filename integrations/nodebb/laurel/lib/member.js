'use strict';
// Requests to Laurel for one member, whom it knows by a token that the forum signs; and the switch to hide.
const { core, settings } = require('./forum');

/** Returns a token of a member for 15 minutes. */
exports.sign = (uid, secret) => core('jsonwebtoken').sign({}, secret, {
	algorithm: 'HS256', subject: String(uid), audience: 'laurel', expiresIn: 15 * 60,
});
/** Says whether there is a Laurel, and a secret to sign with. */
const known = ({ url, userSecret }) => url && String(userSecret || '').length >= 32;

/** Returns 'shown' or 'hidden', as Laurel has it of a member or is asked to have it from now on; '' if it does not answer. */
async function visibility(uid, wanted) {
	const { url, userSecret } = await settings();
	const headers = { authorization: `Bearer ${exports.sign(uid, userSecret)}`, 'content-type': 'application/json' };
	const sent = wanted && { method: 'PUT', body: JSON.stringify({ boards: wanted }) };
	try {
		const answer = await fetch(`${url}/v1/users/${uid}/visibility`, { headers, signal: AbortSignal.timeout(2500), redirect: 'manual', ...sent });
		return answer.status === 200 ? String((await answer.json()).boards || '') : '';
	} catch (err) {
		return '';
	}
}
/** Adds the switch to the member's own settings, as Laurel has it. */
exports.customSettings = async function (data) {
	const own = data.uid > 0 && Number(data.settings?.uid) === Number(data.uid);
	if (!own || !known(await settings())) {
		return data;
	}
	const state = await visibility(data.uid);
	const box = `<div class="form-check"><label class="form-check-label"><input type="checkbox" class="form-check-input" data-property="laurelShown"` +
		`${state === 'shown' ? ' checked' : ''}> [[laurel:show-me]]</label></div><p class="form-text">[[laurel:show-me-explain]]</p>`;
	data.customSettings.push({ title: '[[laurel:leaderboards]]', content: state ? box : '<p role="alert">[[laurel:unheard]]</p>' });
	return data;
};
/** Applies the switch, before NodeBB keeps the other settings: an error is shown, and nothing is kept. */
exports.saveSettings = async function (given) {
	const { laurelShown } = given.data || {};
	if (laurelShown === undefined || !known(await settings())) {
		return given;
	}
	if (!await visibility(given.uid, Number(laurelShown) ? 'shown' : 'hidden')) {
		throw new Error('[[laurel:unheard]]');
	}
	return given;
};
