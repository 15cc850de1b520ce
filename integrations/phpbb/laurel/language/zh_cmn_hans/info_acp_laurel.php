<?php

if (!defined('IN_PHPBB'))
{
	exit;
}
$lang = array_merge($lang ?? [], [
	'ACP_LAUREL' => 'Laurel 排行榜',
	'ACP_LAUREL_SETTINGS' => '设置',
	'LAUREL_URL' => '地址',
	'LAUREL_BOARD' => '榜单',
	'LAUREL_HOOK_SECRET' => 'Webhook 密钥',
	'LAUREL_USER_SECRET' => '令牌密钥',
	'LAUREL_KEPT' => '已设置；留空则保持不变',
	'LAUREL_LAST_ERROR' => '最近的错误：',
	'LAUREL_PAIRING' => '配对',
	'LAUREL_PAIRING_EXPLAIN' => '<code>laurel pair</code> 会显示一个代码；<code>laurel serve</code> 首次启动时也会。',
	'LAUREL_CODE' => '代码',
	'LAUREL_PAIR' => '配对',
	'LAUREL_PAIRED' => '已配对。',
	'LAUREL_UNPAIRED' => '尚未配对。',
	'LAUREL_STATUS' => '%1$s，%2$d 条等待发送。',
	'LAUREL_AGO' => '上次报告在 %d 秒前',
	'LAUREL_NO_REPORT' => '尚无报告',
	'LAUREL_WRONG_CODE' => '代码错误、已被使用或已超过十分钟。请重新生成：laurel pair。',
	'LAUREL_NEEDS_HTTPS' => '地址必须以 https:// 开头，因为密钥由此而来。只有 Laurel 就在本服务器上时，才可以使用 http://localhost:8080。',
	'LAUREL_WRONG_SECRET' => 'Laurel 不认识本论坛的密钥，或者时钟有误。请重新配对。',
	'LAUREL_NOT_THERE' => '此地址没有 Laurel。',
	'LAUREL_NO_SECRET' => '此 Laurel 没有供插件使用的密钥。请让 laurel serve 生成密钥，或为 stack 运行 laurel pair。',
	'LAUREL_NO_ANSWER' => 'Laurel 没有回应。它是否在运行，本服务器能否访问该地址？',
	'LAUREL_FAILS' => 'Laurel 返回了错误；最近的错误见下方。',
	'LAUREL_CRON' => 'cron 上次发送：%s。使用系统 cron 时，启用后请清空一次缓存：php bin/phpbbcli.php cache:purge',
	'LAUREL_NEVER' => '从未',
	'LAUREL_AGAIN' => '重新发送最近两天',
	'LOG_LAUREL' => '<strong>发往 Laurel 的报告</strong><br>» %s',
]);
