<?php

if (!defined('IN_PHPBB'))
{
	exit;
}
$lang = array_merge($lang ?? [], [
	'LAUREL_KIND_BOARD' => 'Rangliste',
	'LAUREL_KIND_FRIENDS' => 'Rangliste der Freunde',
	'LAUREL_KIND_STANDING' => 'Mein Platz',
	'LAUREL_KIND_DAYS' => 'Meine Tage',
	'LAUREL_KIND_HOT' => 'Beliebte Artikel',
	'LAUREL_KIND_WINNERS' => 'Gewinner',
	'LAUREL_SHOW_ME' => 'Mich in den Ranglisten zeigen',
	'LAUREL_SHOW_ME_EXPLAIN' => 'Sonst sieht niemand anders Ihren Namen und Platz. Ihre Punkte bleiben und zählen weiter.',
	'LAUREL_UNHEARD' => 'Die Ranglisten antworten nicht. Bitte in einigen Minuten noch einmal versuchen; geändert wurde nichts.',
]);
