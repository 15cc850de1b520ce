<?php

if (!defined('IN_PHPBB'))
{
	exit;
}
$lang = array_merge($lang ?? [], [
	'LAUREL_KIND_BOARD' => 'Leaderboard',
	'LAUREL_KIND_FRIENDS' => 'Leaderboard of friends',
	'LAUREL_KIND_STANDING' => 'My place',
	'LAUREL_KIND_DAYS' => 'My days',
	'LAUREL_KIND_HOT' => 'Hot articles',
	'LAUREL_KIND_WINNERS' => 'Winners',
	'LAUREL_SHOW_ME' => 'Show me on the leaderboards',
	'LAUREL_SHOW_ME_EXPLAIN' => 'If not, nobody else sees your name and place. Your points are kept and count on.',
	'LAUREL_UNHEARD' => 'The leaderboards do not answer. Try again in a few minutes; nothing has been changed.',
]);
