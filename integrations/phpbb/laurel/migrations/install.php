<?php

namespace laurel\leaderboards\migrations;

use laurel\leaderboards\core\elements;

class install extends \phpbb\db\migration\migration
{
	public static function depends_on()
	{
		return ['\phpbb\db\migration\data\v330\v330'];
	}

	public function effectively_installed()
	{
		return isset($this->config['laurel_url']);
	}

	public function update_schema()
	{
		return ['add_tables' => [
			$this->table_prefix . 'laurel_queue' => [
				'COLUMNS' => [
					'id' => ['ULINT', null, 'auto_increment'],
					'made' => ['TIMESTAMP', 0],
					'due' => ['TIMESTAMP', 0],
					'tries' => ['UINT', 0],
					'sent' => ['BOOL', 0],
					'body' => ['MTEXT', ''],
				],
				'PRIMARY_KEY' => 'id',
				'KEYS' => ['sent' => ['INDEX', ['sent', 'id']]],
			],
			$this->table_prefix . 'laurel_sent' => [
				'COLUMNS' => [
					'post_id' => ['ULINT', 0],
					'liker' => ['ULINT', 0],
					'user_id' => ['ULINT', 0],
					'topic_id' => ['ULINT', 0],
					'opens' => ['BOOL', 0],
					'told' => ['TINT:1', 0],
				],
				'PRIMARY_KEY' => ['post_id', 'liker'],
				'KEYS' => ['topic' => ['INDEX', 'topic_id'], 'user' => ['INDEX', 'user_id']],
			],
		]];
	}

	public function revert_schema()
	{
		return ['drop_tables' => [$this->table_prefix . 'laurel_queue', $this->table_prefix . 'laurel_sent']];
	}

	public function update_data()
	{
		return [
			['config.add', ['laurel_url', '']],
			['config.add', ['laurel_board', 'activity']],
			['config.add', ['laurel_hook_secret', '']],
			['config.add', ['laurel_user_secret', '']],
			['config.add', ['laurel_error', '', true]],
			['config.add', ['laurel_last', '0', true]],
			['config.add', ['laurel_thanks', '0', true]],
			['config.add', ['laurel_readable', '']],
			['config.add', ['laurel_since', '0']],
			['config.add', ['laurel_compared', '0', true]],
			['config_text.add', ['laurel_found', '']],
			['config_text.add', ['laurel_groups', '']],
			...array_map(fn ($kind) => ['config.add', ["laurel_show_$kind", '']], array_keys(elements::KINDS)),
			['module.add', ['acp', 'ACP_CAT_DOT_MODS', 'ACP_LAUREL']],
			['module.add', ['acp', 'ACP_LAUREL', ['module_basename' => '\laurel\leaderboards\acp\main_module', 'modes' => ['settings']]]],
			['custom', [[$this, 'remember']]],
		];
	}

	/** Marks existing rows as reported: they are imported, and their undos are reported. */
	public function remember()
	{
		$told = 'CASE WHEN p.post_visibility = 1 AND t.topic_visibility = 1 THEN 1 WHEN p.post_visibility = 2 THEN 2 ELSE 0 END';
		$first = 'CASE WHEN p.post_id = t.topic_first_post_id THEN 1 ELSE 0 END';
		[$sent, $posts, $topics, $thanks] = array_map(fn ($name) => $this->table_prefix . $name, ['laurel_sent', 'posts', 'topics', 'thanks']);
		$tables = "FROM $posts p JOIN $topics t ON t.topic_id = p.topic_id";
		$into = "INSERT INTO $sent (post_id, liker, user_id, topic_id, opens, told)";
		$this->sql_query("$into SELECT p.post_id, 0, p.poster_id, p.topic_id, $first, $told $tables");
		$this->sql_query("$into SELECT 0, t.topic_id, CASE WHEN t.topic_poster > 1 THEN t.topic_poster ELSE 0 END, t.topic_id, 0, CASE WHEN t.topic_visibility = 1 THEN 1 ELSE 2 END FROM $topics t
			WHERE t.topic_moved_id = 0");
		if ($this->db_tools->sql_table_exists($thanks))
		{
			$this->sql_query("$into SELECT DISTINCT p.post_id, h.user_id, h.user_id, p.topic_id, $first, $told $tables JOIN $thanks h ON h.post_id = p.post_id");
		}
	}
}
