<?php

namespace laurel\leaderboards\core;

use phpbb\auth\auth;
use phpbb\config\config;
use phpbb\config\db_text;
use phpbb\db\driver\driver_interface;
use phpbb\db\tools\tools_interface;

/**
 * Compares topics, posts and thanks as they are now with the reported ones: the table laurel_sent has a row for each of
 * them. So it does not matter which event, or which extension without events, has changed them. Each report has
 * a moment of its own, and deliveries may be repeated and overtake each other.
 */
class report
{
	/** The reported values of a row of laurel_sent. */
	public const NEVER = 0, COUNTS = 1, UNDONE = 2, TAKEN_BACK = 3;

	/** @var int[] users who were deleted in this request, by names */
	private array $deleted = [];

	public function __construct(
		private driver_interface $db,
		private tools_interface $tools,
		private auth $auth,
		private config $config,
		private db_text $texts,
		private queue $queue,
		private string $prefix
	)
	{
	}

	/** Reports topics, or of one of them a single post; $edited: also their titles. */
	public function topics(array $topics, int $post = 0, bool $edited = false): void
	{
		foreach (array_unique(array_map('intval', $topics)) as $topic)
		{
			$this->topic($topic, $post, $edited);
		}
	}

	/** Reports topics that were deleted. */
	public function deleted(array $topics): void
	{
		$this->topics($topics);
		foreach (array_chunk(array_values($topics), 100) as $some)
		{
			$this->queue->add(['deletedArticles' => array_map(fn ($topic) => 't' . (int) $topic, $some)]);
		}
	}

	/** Reports users who were deleted, of whom phpBB tells rows. Their posts are a guest's from now on, or deleted already. */
	public function users_deleted(array $users, array $rows = []): void
	{
		$this->deleted = array_column($rows, 'user_id', 'username_clean') + $this->deleted;
		foreach (array_chunk(array_values(array_map('intval', $users)), 100) as $some)
		{
			$theirs = $this->db->sql_in_set('user_id', $some);
			$this->db->sql_query("DELETE FROM {$this->prefix}laurel_sent WHERE post_id > 0 AND $theirs");
			$this->db->sql_query("UPDATE {$this->prefix}laurel_sent SET user_id = 0 WHERE post_id = 0 AND $theirs");
			$this->queue->add(['deletedUsers' => array_map('strval', $some)]);
		}
	}

	/**
	 * Reports two accounts that are one from now on, by names: the extension Merge Users writes them into phpBB's log. It
	 * may have deleted the first one right before, which is not to be told then: it would be erased with its points.
	 */
	public function merged(string $old, string $new): void
	{
		[$from, $into] = array_map(fn ($name) => $this->user($name), [$old, $new]);
		if ($from && $into && $from !== $into)
		{
			$this->db->sql_query("UPDATE {$this->prefix}laurel_sent SET user_id = $into WHERE user_id = $from AND liker <> $from");
			$this->queue->drop(['deletedUsers' => ["$from"]]);
			$this->queue->add(['merges' => [['user' => "$from", 'into' => "$into"]], 'users' => $this->profiles([$into])]);
		}
	}

	/** Returns the id of a user by a name, also of one who was deleted in this request; 0 for none. */
	private function user(string $name): int
	{
		$clean = utf8_clean_string($name);
		[$row] = $this->rows("SELECT user_id FROM {$this->prefix}users WHERE " . $this->db->sql_in_set('username_clean', [$clean])) ?: [null];
		return (int) ($row['user_id'] ?? $this->deleted[$clean] ?? 0);
	}

	/** Reports a new name. */
	public function renamed(string $old, string $new): void
	{
		$names = $this->db->sql_in_set('username', [$old, $new]);
		foreach ($this->rows("SELECT user_id FROM {$this->prefix}users WHERE $names") as $row)
		{
			$this->queue->add(['users' => array_map(fn ($user) => ['name' => $this->text($new, 100) ?: $user['id']] + $user, $this->profiles([$row['user_id']]))]);
		}
	}

	/** Reports users whose groups have changed, if the owner maps any. */
	public function regrouped(array $users): void
	{
		foreach ($this->mapped() ? array_chunk(array_values($users), 100) : [] as $some)
		{
			$this->queue->add(['users' => $this->profiles($some)]);
		}
	}

	/** Returns Laurel's groups by phpBB's, as the owner maps them in lines "phpBB's group = Laurel's". */
	private function mapped(): array
	{
		$all = [];
		foreach (preg_split('/[\r\n]+/', (string) $this->texts->get('laurel_groups')) as $line)
		{
			[$name, $group] = array_map('trim', explode('=', $line, 2) + [1 => '']);
			$plain = $this->text($group, 64);
			if ($name !== '' && $plain !== '' && strlen($plain) <= 64 && !in_array($plain, ['.', '..'], true))
			{
				$all[$name] = $plain;
			}
		}
		return $all;
	}

	/** Returns members' groups for their profiles; nothing where none are mapped: Laurel keeps those that it has. */
	private function groups(array $users): array
	{
		$mapped = $this->mapped();
		$all = $mapped ? array_fill_keys($users, ['groups' => []]) : [];
		$in = $this->db->sql_in_set('ug.user_id', $users ?: [0]);
		$sql = "SELECT ug.user_id, g.group_name FROM {$this->prefix}user_group ug
			JOIN {$this->prefix}groups g ON g.group_id = ug.group_id WHERE ug.user_pending = 0 AND $in ORDER BY g.group_id";
		foreach ($mapped ? $this->rows($sql) : [] as $row)
		{
			$group = $mapped[html_entity_decode($row['group_name'], ENT_QUOTES | ENT_HTML5, 'UTF-8')] ?? '';
			$known = &$all[$row['user_id']]['groups'];
			if ($group !== '' && count($known) < 20 && !in_array($group, $known, true))
			{
				$known[] = $group;
			}
		}
		return $all;
	}

	/** Reports the topics in which posts were thanked for, or not any more: the extension raises no events. */
	public function thanks(): void
	{
		if (!$this->thanked())
		{
			return;
		}
		[$thanks, $sent, $posts, $users] = array_map(fn ($name) => $this->prefix . $name, ['thanks', 'laurel_sent', 'posts', 'users']);
		$added = "SELECT DISTINCT p.topic_id FROM $thanks h JOIN $posts p ON p.post_id = h.post_id
			JOIN $users u ON u.user_id = h.user_id
			LEFT JOIN $sent s ON s.post_id = h.post_id AND s.liker = h.user_id WHERE s.post_id IS NULL OR s.told = " . self::TAKEN_BACK;
		$removed = "SELECT DISTINCT s.topic_id FROM $sent s LEFT JOIN $thanks h ON h.post_id = s.post_id AND h.user_id = s.liker
			WHERE s.post_id > 0 AND s.liker > 0 AND s.told <> " . self::TAKEN_BACK . ' AND h.post_id IS NULL';
		$this->topics(array_column(array_merge($this->rows($added, 100), $this->rows($removed, 100)), 'topic_id'));
	}

	private function topic(int $topic, int $post, bool $edited): void
	{
		$was = $now = $undone = $done = $users = [];
		$only = $post ? " AND p.post_id = $post" : '';
		foreach ($this->rows($this->current("p.topic_id = $topic$only")) as $row)
		{
			$now["{$row['post_id']}-{$row['liker']}"] = $row;
		}
		$posts = array_unique(array_column($now, 'post_id'));
		$which = $post ? "post_id = $post" : "topic_id = $topic" . ($posts ? ' OR ' . $this->db->sql_in_set('post_id', $posts) : '');
		foreach ($this->rows("SELECT * FROM {$this->prefix}laurel_sent WHERE post_id > 0 AND ($which)") as $row)
		{
			$was["{$row['post_id']}-{$row['liker']}"] = $row;
		}
		$first = null;
		foreach (array_keys($now + $was) as $key)
		{
			$old = $was[$key] ?? null;
			$new = $now[$key] ?? null;
			$same = $old && $new && [$old['user_id'], $old['topic_id'], $old['opens']] == [$new['user_id'], $new['topic_id'], $new['opens']];
			$counted = $old && $old['told'] == self::COUNTS;
			$counts = $new && $new['told'] == self::COUNTS;
			if ($counted && !($same && $counts))
			{
				$undone[join(' ', $this->activity($old))] = [$this->activity($old, 'un') + ['at' => $this->moment()]];
			}
			if ($counts && !($same && $counted))
			{
				$users[] = $new['user_id'];
				$done[join(' ', $this->activity($new))] = $this->counts($new, $old);
			}
			if ($new && !$counts && $old && $old['told'] != self::NEVER)
			{
				$new['told'] = self::UNDONE;
			}
			if (!$new && $old['liker'] && isset($now["{$old['post_id']}-0"]))
			{
				$new = ['told' => self::TAKEN_BACK] + $old;
			}
			$same && $old['told'] == $new['told'] || $this->keep($old, $new);
			if ($new && $new['opens'] && !$new['liker'])
			{
				$first = $new + ['approved' => $old && $old['told'] == self::NEVER];
			}
		}
		$acts = array_merge([], ...array_values(array_diff_key($undone, $done)), ...array_values($done)); // an entry may go from post to post
		foreach (array_chunk($acts, 100) as $n => $some)
		{
			$this->queue->add(['activities' => $some, 'users' => $n ? [] : $this->profiles($users)]);
		}
		$this->article($topic, $first, $edited, !$post);
	}

	/** Reports the article that a topic is. Its row in laurel_sent is that of the post 0. */
	private function article(int $topic, ?array $first, bool $edited, bool $whole): void
	{
		[$old] = $this->rows("SELECT * FROM {$this->prefix}laurel_sent WHERE post_id = 0 AND liker = $topic") ?: [null];
		[$about] = $this->rows("SELECT * FROM {$this->prefix}topics WHERE topic_id = $topic") ?: [null];
		$on = $first && $first['shown'] && $this->forums(); // in a forum for members alone it counts, but is no article
		if (!$about || !$first && !$whole || (!$old && !($on && $first['told'] == self::COUNTS)))
		{
			$about || $this->keep($old, null);
			return;
		}
		$told = $on ? self::COUNTS : self::UNDONE;
		if ($old && $old['told'] == $told && !($edited && $on))
		{
			return;
		}
		$this->queue->add(['articles' => [[
			'id' => "t$topic",
			'title' => ($on ? $this->text($about['topic_title'], 300) : '') ?: "t$topic", // else it is nobody's business
			'author' => ['id' => (string) ($old ? 0 : (int) $first['user_id'])], // it does not change
			// An article that was reported before, or is of long ago, is changed, and not published.
			'publishedAt' => $old ? '2000-01-01T00:00:00Z' : $this->made((int) $first['made']) ?? ($first['approved'] ? $this->moment() : '2000-01-01T00:00:00Z'),
			'listed' => $on,
			'changedAt' => $this->moment(),
		] + ($on ? ['link' => generate_board_url() . "/viewtopic.php?t=$topic", 'groups' => ["f{$about['forum_id']}"]] : [])]]);
		$author = (int) ($old ? $old['user_id'] : $first['user_id']);
		if (!$on && $first && $first['told'] == self::COUNTS) // Laurel took it back with the article
		{
			$counts = ['user' => (string) $first['user_id'], 'target' => "t$topic", 'action' => 'publish', 'restores' => true, 'at' => $this->moment()];
			$this->queue->add(['activities' => [$counts]]);
		}
		if ($on && $author && $author !== (int) $first['user_id']) // a topic whose first post is another one now
		{
			$undo = ['user' => (string) $author, 'target' => "t$topic", 'action' => 'unpublish', 'at' => $this->moment()];
			$this->queue->add(['activities' => [$undo]]);
		}
		$this->keep($old, ['post_id' => 0, 'liker' => $topic, 'user_id' => $author, 'topic_id' => $topic, 'opens' => 0, 'told' => $told]);
	}

	/** Returns the statement of the contents of topics: posts, and thanks for them. */
	private function current(string $where): string
	{
		[$posts, $topics, $forums, $users, $thanks] = array_map(fn ($name) => $this->prefix . $name, ['posts', 'topics', 'forums', 'users', 'thanks']);
		$shown = "p.post_visibility = 1 AND t.topic_visibility = 1 AND f.forum_password = '' AND " . $this->readable();
		$fields = "p.topic_id, CASE WHEN p.post_id = t.topic_first_post_id THEN 1 ELSE 0 END AS opens, CASE WHEN $shown THEN 1 ELSE 0 END AS shown,
			CASE WHEN $shown AND u.user_id <> " . ANONYMOUS . ' AND u.user_type <> ' . USER_IGNORE . ' THEN 1 ELSE 0 END AS told';
		$tables = "FROM $posts p JOIN $topics t ON t.topic_id = p.topic_id JOIN $forums f ON f.forum_id = p.forum_id";
		$sql = "SELECT p.post_id, 0 AS liker, p.poster_id AS user_id, 0 AS author, p.post_time AS made, $fields $tables
			JOIN $users u ON u.user_id = p.poster_id WHERE $where";
		return !$this->thanked() ? $sql : $sql . " UNION ALL SELECT p.post_id, h.user_id, h.user_id, p.poster_id, h.thanks_time, $fields $tables
			JOIN $thanks h ON h.post_id = p.post_id JOIN $users u ON u.user_id = h.user_id WHERE $where";
	}

	/** Returns the forums that guests can read. */
	private function forums(): array
	{
		$forums = array_keys($this->auth->acl_get_list(ANONYMOUS, 'f_read'));
		sort($forums);
		return $forums;
	}

	/** Reports the topics that guests can read by now, or not any more: phpBB tells nobody of changed permissions. */
	public function permissions(): void
	{
		$now = join(',', array_merge($this->forums(), [''], array_column($this->rows("SELECT forum_id FROM {$this->prefix}forums WHERE forum_password = '' ORDER BY forum_id"), 'forum_id')));
		if (md5($now) === $this->config['laurel_readable'])
		{
			return;
		}
		$sent = $this->prefix . 'laurel_sent';
		$current = $this->current('1 = 1');
		$posts = $this->rows("SELECT DISTINCT c.topic_id FROM ($current) c JOIN $sent s ON s.post_id = c.post_id AND s.liker = c.liker
			WHERE (s.told = " . self::COUNTS . ' AND c.told = 0) OR (s.told IN (' . self::NEVER . ', ' . self::UNDONE . ') AND c.told = 1)', 100);
		$articles = $this->rows("SELECT c.topic_id FROM ($current) c JOIN $sent s ON s.post_id = c.post_id AND s.liker = 0
			LEFT JOIN $sent a ON a.post_id = 0 AND a.liker = c.topic_id WHERE c.opens = 1 AND c.liker = 0 AND c.told = 1 AND "
			. ($this->forums() ? '(a.told IS NULL OR a.told <> ' . self::COUNTS . ')' : 'a.told = ' . self::COUNTS), 100);
		$this->topics(array_column(array_merge($posts, $articles), 'topic_id'));
		$this->config->set('laurel_readable', $posts || $articles ? '' : md5($now)); // else there may be more
	}

	/** Returns the condition of forums that guests can read; where they can read none, of all forums. */
	public function readable(): string
	{
		$forums = $this->forums();
		return $forums ? $this->db->sql_in_set('p.forum_id', $forums) : '1 = 1';
	}

	/** Says whether there is Thanks for posts. */
	public function thanked(): bool
	{
		return $this->tools->sql_table_exists($this->prefix . 'thanks');
	}

	/** Returns the activities that count from now on. One that was undone before is restored where it was. */
	private function counts(array $new, ?array $old): array
	{
		$made = $this->made((int) $new['made']) ?? ($old && $old['told'] == self::NEVER ? $this->moment() : null); // approved
		$activity = $this->activity($new) + $this->other((int) $new['author']);
		$acts = $made ? [$activity + ['at' => $made]] : [];
		return $old ? [...$acts, $activity + ['restores' => true, 'at' => $this->moment()]] : $acts;
	}

	/** Returns the author of a post that was thanked for, by whom Laurel knows void pairs; none of a guest's. */
	private function other(int $author): array
	{
		return $author > ANONYMOUS ? ['other' => (string) $author] : [];
	}

	/** Returns a row's values, without a moment. */
	private function activity(array $row, string $un = ''): array
	{
		$entry = ['user' => (string) $row['user_id'], 'target' => "t{$row['topic_id']}"];
		if ($row['liker'])
		{
			return ['target' => $row['opens'] ? $entry['target'] : "p{$row['post_id']}", 'action' => "{$un}like"] + $entry;
		}
		return $entry + ($row['opens'] ? ['action' => "{$un}publish"] : ['action' => "{$un}comment", 'ref' => "p{$row['post_id']}"]);
	}

	/** Keeps the reported values in place of the earlier ones. */
	private function keep(?array $old, ?array $new): void
	{
		if ($old)
		{
			$this->db->sql_query("DELETE FROM {$this->prefix}laurel_sent WHERE post_id = " . (int) $old['post_id'] . ' AND liker = ' . (int) $old['liker']);
		}
		if ($new)
		{
			$row = array_map('intval', array_intersect_key($new, array_flip(['post_id', 'liker', 'user_id', 'topic_id', 'opens', 'told'])));
			$this->db->sql_query("INSERT INTO {$this->prefix}laurel_sent " . $this->db->sql_build_array('INSERT', $row));
		}
	}

	private function rows(string $sql, int $limit = 0): array
	{
		$result = $limit ? $this->db->sql_query_limit($sql, $limit) : $this->db->sql_query($sql);
		$rows = $this->db->sql_fetchrowset($result);
		$this->db->sql_freeresult($result);
		return $rows;
	}

	/** Returns a moment with milliseconds; no two of a process are the same. */
	private function moment(): string
	{
		static $last = 0;
		$last = max((int) (1000 * microtime(true)), $last + 1);
		return gmdate('Y-m-d\TH:i:s', intdiv($last, 1000)) . sprintf('.%03dZ', $last % 1000);
	}

	/** Returns when something was made, if Laurel takes it. */
	private function made(int $at): ?string
	{
		return $at > time() - queue::LATEST + 3600 ? gmdate('Y-m-d\TH:i:s\Z', min($at, time())) : null;
	}

	/** Returns a text on one line, without characters that no text has, such as overrides of direction; '' if nothing in it shows. */
	private function text(string $text, int $most): string
	{
		$shown = mb_scrub(html_entity_decode($text, ENT_QUOTES | ENT_HTML5, 'UTF-8'), 'UTF-8');
		$shown = preg_replace('/[\t-\r\x{85}\x{2028}\x{2029}]+/u', ' ', $shown);
		$shown = preg_replace('/[\p{Cc}\x{202A}-\x{202E}\x{2066}-\x{2069}\x{FDD0}-\x{FDEF}]/u', '', $shown);
		$shown = preg_replace_callback('/[^\x{0}-\x{FFFD}]/u', fn ($m) => (mb_ord($m[0], 'UTF-8') & 0xFFFE) === 0xFFFE ? '' : $m[0], $shown);
		$shown = mb_substr(preg_replace('/^[\s\x{A0}]+/u', '', $shown), 0, $most, 'UTF-8');
		$shown = preg_replace('/[\s\x{A0}]+$/u', '', $shown);

		return preg_match('/[^\p{Z}\p{Cc}\p{Cf}\p{Cn}\p{M}\x{115F}\x{1160}\x{2800}\x{3164}\x{FFA0}]/u', $shown) ? $shown : '';
	}

	/** Returns the profiles of members, to go with their activities. */
	private function profiles(array $users): array
	{
		$users = array_slice(array_unique(array_map('intval', $users)), 0, 100);
		$where = $this->db->sql_in_set('user_id', $users ?: [0]);
		$all = [];
		$groups = $this->groups($users);
		foreach ($this->rows("SELECT user_id, username, user_avatar, user_avatar_type FROM {$this->prefix}users WHERE $where") as $user)
		{
			$avatar = $user['user_avatar'] === '' ? '' : match ($user['user_avatar_type']) {
				'avatar.driver.upload' => generate_board_url() . "/download/file.php?avatar={$user['user_avatar']}",
				'avatar.driver.remote' => preg_match('~^https?://~', $user['user_avatar']) ? $user['user_avatar'] : '',
				'avatar.driver.gravatar' => 'https://secure.gravatar.com/avatar/' . md5(strtolower(trim($user['user_avatar']))) . '?s=96',
				default => '',
			};
			$all[] = array_filter([
				'id' => (string) $user['user_id'],
				'name' => $this->text($user['username'], 100) ?: (string) $user['user_id'],
				'link' => generate_board_url() . "/memberlist.php?mode=viewprofile&u={$user['user_id']}",
				'avatar' => $this->config['allow_avatar'] ? $avatar : '',
			]) + ($groups[$user['user_id']] ?? []);
		}
		return $all;
	}
}
