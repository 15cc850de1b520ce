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
	'LAUREL_WAITING' => '%d reports wait. The last error:',
	'LAUREL_CRON' => 'Last sent by cron: %s. With the system’s cron, purge the cache once after enabling: php bin/phpbbcli.php cache:purge',
	'LAUREL_NEVER' => 'never',
	'LAUREL_AGAIN' => 'Send the last two days again',
	'LOG_LAUREL' => '<strong>Reports to Laurel</strong><br>» %s',
]);
