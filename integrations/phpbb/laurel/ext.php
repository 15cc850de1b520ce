<?php

namespace laurel\leaderboards;

class ext extends \phpbb\extension\base
{
	public function is_enableable()
	{
		return PHP_VERSION_ID >= 80000 && extension_loaded('curl');
	}
}
