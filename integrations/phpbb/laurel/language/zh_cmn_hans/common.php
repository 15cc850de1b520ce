<?php

if (!defined('IN_PHPBB'))
{
	exit;
}
$lang = array_merge($lang ?? [], [
	'LAUREL_HEADING' => '排行榜',
]);
