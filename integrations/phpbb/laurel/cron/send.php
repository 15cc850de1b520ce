<?php

namespace laurel\leaderboards\cron;

use laurel\leaderboards\core\comparison;
use laurel\leaderboards\core\queue;
use laurel\leaderboards\core\report;
use phpbb\config\config;

/** Finds new thanks, sends waiting rows, and compares every hour: after a member's page, by phpBB's cron. */
class send extends \phpbb\cron\task\base
{
	public function __construct(private report $report, private queue $queue, private comparison $comparison, private config $config)
	{
	}

	public function is_runnable()
	{
		return (bool) $this->config['laurel_url'];
	}

	public function should_run()
	{
		return (int) $this->config['laurel_last'] < time() - 30;
	}

	public function run()
	{
		$this->config->set('laurel_last', (string) time(), false);
		if ((int) $this->config['laurel_thanks'] < time() - 300) // it reads whole tables
		{
			$this->config->set('laurel_thanks', (string) time(), false);
			$this->report->thanks();
			$this->report->permissions();
		}
		$this->queue->send(20);
		if ($this->config['laurel_hook_secret'] && (int) $this->config['laurel_compared'] < time() - 3600)
		{
			$this->comparison->compare();
		}
	}
}
