<?php

if (!defined('IN_PHPBB'))
{
	exit;
}
$lang = array_merge($lang ?? [], [
	'ACP_LAUREL' => 'Laurel leaderboards',
	'ACP_LAUREL_SETTINGS' => 'Settings',
	'LAUREL_URL' => 'Address',
	'LAUREL_BOARD' => 'Board',
	'LAUREL_HOOK_SECRET' => 'Secret of webhooks',
	'LAUREL_USER_SECRET' => 'Secret of tokens',
	'LAUREL_KEPT' => 'set; empty keeps it',
	'LAUREL_LAST_ERROR' => 'The last error:',
	'LAUREL_PAIRING' => 'Pairing',
	'LAUREL_PAIRING_EXPLAIN' => '<code>laurel pair</code> prints a code; so does the first start of <code>laurel serve</code>.',
	'LAUREL_CODE' => 'Code',
	'LAUREL_PAIR' => 'Pair',
	'LAUREL_PAIRED' => 'Paired.',
	'LAUREL_UNPAIRED' => 'Not paired yet.',
	'LAUREL_STATUS' => '%1$s, %2$d waiting.',
	'LAUREL_AGO' => 'last report %d s ago',
	'LAUREL_NO_REPORT' => 'no report yet',
	'LAUREL_WRONG_CODE' => 'The code is wrong, was used, or is older than ten minutes. Make another one: laurel pair.',
	'LAUREL_NEEDS_HTTPS' => 'The address has to begin with https://, as secrets come from there. Only for a Laurel on this server it may be http://localhost:8080.',
	'LAUREL_WRONG_SECRET' => 'Laurel does not know this forum’s secret, or a clock is wrong. Pair again.',
	'LAUREL_NOT_THERE' => 'There is no Laurel at this address.',
	'LAUREL_NO_SECRET' => 'This Laurel has no secret for plugins. Let laurel serve make its secrets, or run laurel pair for the stack.',
	'LAUREL_NO_ANSWER' => 'Laurel does not answer. Does it run, and can this server reach the address?',
	'LAUREL_FAILS' => 'Laurel answers with an error; the last one is below.',
	'LAUREL_CRON' => 'Last sent by cron: %s. With the system’s cron, purge the cache once after enabling: php bin/phpbbcli.php cache:purge',
	'LAUREL_NEVER' => 'never',
	'LAUREL_AGAIN' => 'Send the last two days again',
	'LOG_LAUREL' => '<strong>Reports to Laurel</strong><br>» %s',
]);
