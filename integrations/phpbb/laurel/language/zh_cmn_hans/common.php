<?php

if (!defined('IN_PHPBB'))
{
	exit;
}
$lang = array_merge($lang ?? [], [
	'LAUREL_KIND_BOARD' => '排行榜',
	'LAUREL_KIND_FRIENDS' => '好友排行榜',
	'LAUREL_KIND_STANDING' => '我的名次',
	'LAUREL_KIND_DAYS' => '我的每日活动',
	'LAUREL_KIND_HOT' => '热门文章',
	'LAUREL_KIND_WINNERS' => '获胜者',
	'LAUREL_SHOW_ME' => '在排行榜上显示我',
	'LAUREL_SHOW_ME_EXPLAIN' => '如果不选，别人看不到您的名字和名次。积分会保留并继续累计。',
	'LAUREL_UNHEARD' => '排行榜没有响应。请几分钟后再试；未作任何更改。',
]);
