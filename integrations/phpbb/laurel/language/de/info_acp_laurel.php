<?php

if (!defined('IN_PHPBB'))
{
	exit;
}
$lang = array_merge($lang ?? [], [
	'ACP_LAUREL' => 'Laurel-Ranglisten',
	'ACP_LAUREL_SETTINGS' => 'Einstellungen',
	'LAUREL_URL' => 'Adresse',
	'LAUREL_BOARD' => 'Rangliste',
	'LAUREL_HOOK_SECRET' => 'Geheimnis der Webhooks',
	'LAUREL_USER_SECRET' => 'Geheimnis der Tokens',
	'LAUREL_KEPT' => 'gesetzt; leer bleibt es so',
	'LAUREL_LAST_ERROR' => 'Der letzte Fehler:',
	'LAUREL_PAIRING' => 'Koppeln',
	'LAUREL_PAIRING_EXPLAIN' => '<code>laurel pair</code> zeigt einen Code, ebenso der erste Start von <code>laurel serve</code>.',
	'LAUREL_CODE' => 'Code',
	'LAUREL_PAIR' => 'Koppeln',
	'LAUREL_PAIRED' => 'Gekoppelt.',
	'LAUREL_UNPAIRED' => 'Noch nicht gekoppelt.',
	'LAUREL_STATUS' => '%1$s, %2$d warten.',
	'LAUREL_AGO' => 'letzte Meldung vor %d s',
	'LAUREL_NO_REPORT' => 'noch keine Meldung',
	'LAUREL_WRONG_CODE' => 'Der Code ist falsch, verbraucht oder älter als zehn Minuten. Einen neuen zeigt laurel pair.',
	'LAUREL_NEEDS_HTTPS' => 'Die Adresse muss mit https:// beginnen, denn von dort kommen Geheimnisse. Nur ein Laurel auf diesem Server darf http://localhost:8080 sein.',
	'LAUREL_WRONG_SECRET' => 'Laurel kennt das Geheimnis dieses Forums nicht, oder eine Uhr geht falsch. Bitte neu koppeln.',
	'LAUREL_NOT_THERE' => 'An dieser Adresse ist kein Laurel.',
	'LAUREL_NO_SECRET' => 'Dieses Laurel hat kein Geheimnis für Plugins. laurel serve legt es selbst an, für den Stack laurel pair.',
	'LAUREL_NO_ANSWER' => 'Laurel antwortet nicht. Läuft es, und erreicht dieser Server die Adresse?',
	'LAUREL_FAILS' => 'Laurel antwortet mit einem Fehler; der letzte steht unten.',
	'LAUREL_CRON' => 'Zuletzt von cron gesendet: %s. Mit dem cron des Systems den Zwischenspeicher nach dem Einschalten einmal leeren: php bin/phpbbcli.php cache:purge',
	'LAUREL_NEVER' => 'nie',
	'LAUREL_AGAIN' => 'Die letzten zwei Tage noch einmal senden',
	'LOG_LAUREL' => '<strong>Meldungen an Laurel</strong><br>» %s',
]);
