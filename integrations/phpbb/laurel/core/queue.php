<?php

namespace laurel\leaderboards\core;

use phpbb\config\config;
use phpbb\db\driver\driver_interface;
use phpbb\log\log_interface;

/** The queue, a table: a member's act adds a row, which phpBB's cron sends. */
class queue
{
	/** Laurel takes nothing older, in seconds: that is imported. */
	public const LATEST = 172800;

	private string $table;

	public function __construct(private driver_interface $db, private config $config, private log_interface $log, string $prefix)
	{
		$this->table = $prefix . 'laurel_queue';
	}

	/** Adds a body; empty parts are left out. */
	public function add(array $body): void
	{
		$body = array_filter($body);
		if ($body && $this->config['laurel_url'])
		{
			$row = ['made' => time(), 'body' => json_encode($body, JSON_INVALID_UTF8_SUBSTITUTE)];
			$this->db->sql_query("INSERT INTO $this->table " . $this->db->sql_build_array('INSERT', $row));
		}
	}

	/** Sends due rows for some seconds, in order. Refused ones are sent again later, for two days. */
	public function send(float $seconds): void
	{
		$old = 'made < ' . (time() - self::LATEST);
		if ($lost = $this->count("sent = 0 AND $old"))
		{
			$this->error("Laurel: $lost reports were not taken for two days and are dropped");
		}
		$this->db->sql_query("DELETE FROM $this->table WHERE $old");
		for ($end = microtime(true) + $seconds; microtime(true) < $end;)
		{
			$result = $this->db->sql_query_limit("SELECT * FROM $this->table WHERE sent = 0 ORDER BY id", 1);
			$row = $this->db->sql_fetchrow($result);
			$this->db->sql_freeresult($result);
			if (!$row || $row['due'] > time())
			{
				return;
			}
			// The process that moves the time has the row for 30 seconds; other processes wait for it, and for a crashed one.
			$this->update($row, ['due' => time() + 30, 'tries' => $row['tries'] + 1], ' AND due = ' . (int) $row['due']);
			if (!$this->db->sql_affectedrows())
			{
				return;
			}
			$error = $this->post("msg_{$row['id']}", $row['body'], (int) ceil(min(5, $seconds)));
			$taken = $error === '' || preg_match('/^4(13|15|22) /', $error); // these are refused for ever
			$pause = $taken ? 0 : min(3600, 15 * 2 ** min(10, (int) $row['tries']));
			$this->update($row, ['sent' => (int) $taken, 'due' => time() + $pause]);
			if ($error !== '')
			{
				$this->error("Laurel: report {$row['id']} " . ($taken ? 'is dropped: ' : 'waits: ') . $error);
			}
		}
	}

	/** Takes a body back that was added and not sent yet. */
	public function drop(array $body): void
	{
		$this->db->sql_query("DELETE FROM $this->table WHERE sent = 0 AND " . $this->db->sql_in_set('body', [json_encode($body)]));
	}

	/** Has all that is kept sent again: it changes nothing that is right. */
	public function again(): void
	{
		$this->db->sql_query("UPDATE $this->table SET sent = 0, due = 0, tries = 0");
	}

	/** Returns how many reports there are, or something else about them. */
	public function count(string $where, string $what = 'COUNT(*)'): int
	{
		$result = $this->db->sql_query("SELECT $what AS n FROM $this->table WHERE $where");
		$n = (int) $this->db->sql_fetchfield('n');
		$this->db->sql_freeresult($result);
		return $n;
	}

	private function update(array $row, array $set, string $and = ''): void
	{
		$this->db->sql_query("UPDATE $this->table SET " . $this->db->sql_build_array('UPDATE', $set) . ' WHERE id = ' . (int) $row['id'] . $and);
	}

	/** Writes into phpBB's log of errors; the last one is on the page of settings, too. */
	public function error(string $text): void
	{
		$this->config->set('laurel_error', substr(gmdate('Y-m-d H:i:s ') . $text, 0, 250), false);
		$this->log->add('critical', ANONYMOUS, '', 'LOG_LAUREL', time(), [utf8_htmlspecialchars($text)]);
	}

	/** Sends a body. Returns '', or the status and the error. */
	private function post(string $id, string $body, int $timeout): string
	{
		[$status, $answer] = $this->call($id, $body, $timeout);
		return $status === 200 ? '' : "$status " . substr($answer, 0, 500);
	}

	/** Returns the status of, and the answer to, a body that is signed as Standard Webhooks says. */
	public function call(string $id, string $body, int $timeout): array
	{
		$secret = (string) $this->config['laurel_hook_secret'];
		$key = str_starts_with($secret, 'whsec_') ? (string) base64_decode(substr($secret, 6)) : $secret;
		$at = time();
		$signature = 'v1,' . base64_encode(hash_hmac('sha256', "$id.$at.$body", $key, true));
		return $this->ask('/v1/hooks/standard', $timeout, [CURLOPT_POSTFIELDS => $body, CURLOPT_HTTPHEADER => [
			'Content-Type: application/json', "webhook-id: $id", "webhook-timestamp: $at", "webhook-signature: $signature",
		]]);
	}

	/** Returns the status and the answer of a path of Laurel's, or 0 and why there is none. */
	public function ask(string $path, int $timeout = 10, array $options = []): array
	{
		$request = curl_init(rtrim((string) $this->config['laurel_url'], '/') . $path);
		curl_setopt_array($request, $options + [
			CURLOPT_TIMEOUT => $timeout, CURLOPT_RETURNTRANSFER => true, CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
		]);
		$answer = curl_exec($request);
		return [curl_getinfo($request, CURLINFO_RESPONSE_CODE), (string) ($answer ?: curl_error($request))];
	}
}
