<?php

namespace laurel\leaderboards\core;

use phpbb\config\config;
use phpbb\config\db_text;
use phpbb\db\driver\driver_interface;

/** Comparing: phpBB's own tables show the points that members should have this month, and Laurel names the members who differ. */
class comparison
{
	public function __construct(
		private driver_interface $db,
		private config $config,
		private db_text $text,
		private report $report,
		private queue $queue,
		private string $prefix
	)
	{
	}

	/** Starts again: earlier activities than the pairing are not compared. */
	public function begin(): void
	{
		$this->config->set('laurel_since', (string) time());
		$this->compare();
	}

	/** Compares the month, from the first time on or, once Laurel has the history, from its start; and keeps the result. */
	public function compare(): void
	{
		$this->config->set('laurel_compared', (string) time(), false);
		$this->config['laurel_since'] || $this->config->set('laurel_since', (string) time());
		$asked = [
			'actions' => $this->report->thanked() ? ['comment', 'like', 'publish'] : ['comment', 'publish'],
			'since' => $this->moment((int) $this->config['laurel_since']),
		];
		$found = ['wrong' => '', 'actions' => $asked['actions'], 'differ' => []];
		foreach ($this->groups($this->standing()) as $some)
		{
			$body = $asked + ['users' => array_map('strval', array_keys($some)), 'activities' => array_merge(...array_values($some))];
			[$status, $answer] = $this->queue->call('cmp_' . bin2hex(random_bytes(16)), json_encode(['compare' => $body]), 20);
			$said = json_decode($answer, true)['compared'] ?? null;
			if (!$said)
			{
				$found['wrong'] = pairing::key("$status $answer");
				$this->queue->error("Laurel: the comparison waits: $status " . substr($answer, 0, 500));
				break;
			}
			$found['actions'] = $said['actions'];
			$found['since'] = strtotime($said['since']);
			array_push($found['differ'], ...array_filter($said['differ'], fn ($m) => !isset($m['apart'])));
		}
		$this->text->set('laurel_found', json_encode($found));
	}

	/** Returns when it was compared, since when; the error, the actions, and the members who differ with their differences. */
	public function found(): array
	{
		$found = json_decode((string) $this->text->get('laurel_found'), true) ?: ['wrong' => '', 'actions' => [], 'differ' => []];
		return $found + ['at' => (int) $this->config['laurel_compared'], 'since' => (int) $this->config['laurel_since']];
	}

	/** Returns the rows of each member in the tables, without members who are on the board alone. */
	public function standing(): array
	{
		$users = [];
		foreach ($this->statements() as $sql)
		{
			$result = $this->db->sql_query("SELECT h.* FROM ($sql) h WHERE h.at > " . (time() - 32 * 86400));
			while ($row = $this->db->sql_fetchrow($result))
			{
				$what = array_intersect_key($row, ['action' => 0, 'target' => 0, 'ref' => 0]);
				$users[$row['user_id']][] = ['user' => (string) $row['user_id'], 'at' => $this->moment((int) $row['at'])] + array_filter($what);
			}
			$this->db->sql_freeresult($result);
		}
		$page = ['next' => '/v1/boards/' . rawurlencode((string) $this->config['laurel_board']) . '/month?limit=100'];
		while ($path = $page['next'] ?? '')
		{
			$page = json_decode($this->queue->ask($path)[1], true);
			$users += array_fill_keys(array_column(array_column($page['entries'] ?? [], 'user'), 'id'), []);
		}
		return $users;
	}

	/** Returns the statements of posts and of thanks, if there are any, for this database and the forums that guests read. */
	private function statements(): array
	{
		$text = preg_replace('/\n  AND f\.forum_id IN .*(\n    .*)*/', '', rtrim(file_get_contents(__DIR__ . '/../history.sql'), "; \n"));
		$text = strtr($text, [
			'phpbb_' => $this->prefix, '`user`' => 'user_id', "f.forum_password = ''" => "f.forum_password = '' AND " . $this->report->readable(),
		]);
		$joined = fn ($m) => $this->db->sql_concatenate($m[1], $this->db->cast_expr_to_string($m[2]));
		$text = preg_replace_callback("/CONCAT\(('\w'), ([\w.]+)\)/", $joined, $text);
		return array_slice(explode("\nUNION ALL\n", $text), 0, $this->report->thanked() ? 2 : 1);
	}

	/** Returns members in groups, each of which is a request: up to 50, or those with some 5,000 rows. */
	private function groups(array $users): array
	{
		$groups = [];
		$weight = 0;
		foreach ($users as $user => $done)
		{
			$weight += 100 + count($done);
			$groups[intdiv($weight, 5000)][$user] = $done;
		}
		return $groups;
	}

	private function moment(int $at): string
	{
		return gmdate('Y-m-d\TH:i:s\Z', $at);
	}
}
