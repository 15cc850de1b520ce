<?php

namespace laurel\leaderboards\acp;

class main_info
{
	public function module()
	{
		return [
			'filename' => '\laurel\leaderboards\acp\main_module',
			'title' => 'ACP_LAUREL',
			'modes' => [
				'settings' => ['title' => 'ACP_LAUREL_SETTINGS', 'auth' => 'ext_laurel/leaderboards && acl_a_board', 'cat' => ['ACP_LAUREL']],
			],
		];
	}
}
