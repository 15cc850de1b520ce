<?php

namespace laurel\leaderboards\core;

use phpbb\config\config;

/** The elements of pages: Laurel's, each at the place that the administration chooses. */
class elements
{
	/** The element of each kind, its choices, whether it is a member's own, and the key of its title. */
	public const KINDS = [
		'board' => ['laurel-board', ['board', 'windows', 'layout', 'limit'], false, 'LAUREL_KIND_BOARD'],
		'friends' => ['laurel-board', ['board', 'windows', 'layout', 'limit'], true, 'LAUREL_KIND_FRIENDS'],
		'standing' => ['laurel-standing', ['board', 'window'], true, 'LAUREL_KIND_STANDING'],
		'days' => ['laurel-heatmap', ['board'], true, 'LAUREL_KIND_DAYS'],
		'hot' => ['laurel-hot', ['limit'], false, 'LAUREL_KIND_HOT'],
		'winners' => ['laurel-winners', ['board', 'window', 'limit'], false, 'LAUREL_KIND_WINNERS'],
	];
	public const PLACES = ['nowhere', 'index_top', 'index_bottom', 'profile'];
	public const WINDOWS = ['day', 'week', 'month', 'quarter', 'year', 'all', '7d', '30d', 'contest'];
	/** Windows whose periods end, and have winners. */
	public const ENDING = ['day', 'week', 'month', 'quarter', 'year', 'contest'];
	public const LAYOUTS = ['table', 'podium', 'compact'];

	public function __construct(private config $config, private queue $queue)
	{
	}

	/** Returns the choices for a kind, with the place. */
	public function chosen(string $kind): array
	{
		parse_str((string) $this->config["laurel_show_$kind"], $kept);
		return $this->valid($kind, $kept + ['place' => $kind === 'board' ? 'index_bottom' : 'nowhere']);
	}

	/** Keeps the choices for a kind. */
	public function choose(string $kind, array $given): void
	{
		$this->config->set("laurel_show_$kind", http_build_query($this->valid($kind, $given)));
	}

	/** Returns the given choices as far as they are valid; numbers have limits. */
	private function valid(string $kind, array $given): array
	{
		$given = array_map('strval', array_filter($given, 'is_scalar'));
		$one = fn (string $name, array $of, string $otherwise) => in_array($given[$name] ?? '', $of, true) ? $given[$name] : $otherwise;
		[$rows, $most] = $kind === 'winners' ? [3, 31] : [10, 100];
		$all = [
			'board' => preg_match('/^[\w.-]{1,64}$/', $given['board'] ?? '') ? $given['board'] : (string) $this->config['laurel_board'],
			'windows' => implode(' ', array_intersect(self::WINDOWS, explode(' ', $given['windows'] ?? ''))) ?: 'day month',
			'window' => $one('window', $kind === 'winners' ? self::ENDING : self::WINDOWS, 'month'),
			'layout' => $one('layout', self::LAYOUTS, 'table'),
			'limit' => (string) min($most, max(1, (int) ($given['limit'] ?? 0) ?: $rows)),
		];
		return ['place' => $one('place', self::PLACES, 'nowhere')] + array_intersect_key($all, array_flip(self::KINDS[$kind][1]));
	}

	/** Returns the titles of Laurel's boards by name; where it does not answer, the one that is set. */
	public function boards(string $language): array
	{
		$found = json_decode($this->queue->ask('/v1/boards', 3)[1], true)['boards'] ?? [];
		$boards = [];
		foreach ($found ?: [['board' => (string) $this->config['laurel_board']]] as $b)
		{
			$boards[$b['board']] = $b['labels'][substr($language, 0, 2)] ?? $b['labels']['en'] ?? $b['board'];
		}
		return $boards;
	}

	/** Returns the elements of a place in HTML, each below its title; a guest sees none of a member's own data. */
	public function html(string $place, int $user, string $token, callable $lang): string
	{
		$html = '';
		foreach ($this->config['laurel_url'] === '' ? [] : self::KINDS as $kind => [$name, , $own, $title])
		{
			$all = $this->chosen($kind);
			if ($all['place'] !== $place || $own && !$user)
			{
				continue;
			}
			unset($all['place']);
			$all += $user && $kind !== 'winners' ? ['user' => $user, 'token-url' => $token] : [];
			$all += ($kind === 'friends' ? ['friends' => 'friends'] : []) + ['style' => '--laurel-room:' . $this->room($kind, $all)];
			$attributes = array_map(fn ($a, $value) => " $a=\"" . utf8_htmlspecialchars((string) $value) . '"', array_keys($all), $all);
			$html .= '<h3>' . $lang($title) . "</h3>\n<$name" . implode('', $attributes) . "></$name>\n";
		}
		return $html;
	}

	/** Returns how high an element will be, so that nothing moves when it is there. */
	private function room(string $kind, array $all): string
	{
		$rows = min(10, (int) ($all['limit'] ?? 10));
		$fixed = ['standing' => 1.6, 'days' => 12, 'hot' => 3.7 * $rows, 'winners' => 8 * min(3, $rows)];
		$board = ['compact' => 2.04 * $rows + 3, 'podium' => 2.64 * $rows + 7.5, 'table' => 2.64 * $rows + 5];
		return round($fixed[$kind] ?? $board[$all['layout']] + (isset($all['user']) ? 6 : 0), 1) . 'em';
	}
}
