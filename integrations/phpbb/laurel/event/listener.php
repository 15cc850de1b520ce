<?php

namespace laurel\leaderboards\event;

use laurel\leaderboards\core\report;
use phpbb\config\config;
use phpbb\controller\helper;
use phpbb\event\data;
use phpbb\language\language;
use phpbb\log\log_interface;
use phpbb\template\template;
use phpbb\user;
use Symfony\Component\EventDispatcher\EventSubscriberInterface;

/** Hears what changes topics and users, and shows the board on the index. */
class listener implements EventSubscriberInterface
{
	/** @var int[] topics that lost posts in this request, whose first posts phpBB puts right after the event */
	private array $topics = [];

	public function __construct(
		private report $report,
		private config $config,
		private user $user,
		private template $template,
		private helper $helper,
		private log_interface $log,
		private language $language
	)
	{
	}

	public static function getSubscribedEvents(): array
	{
		return [
			'core.submit_post_end' => 'submitted',
			'core.set_post_visibility_after' => 'topic_changed',
			'core.set_topic_visibility_after' => 'topic_changed',
			'core.delete_post_after' => 'topic_changed',
			'core.delete_posts_after' => 'topics_changed',
			'core.delete_topics_after_query' => 'topics_deleted',
			'core.move_topics_after' => 'topics_moved',
			'core.move_posts_after' => 'topic_changed', // before empty topics are deleted
			'core.move_posts_sync_after' => 'posts_moved',
			'core.mcp_change_poster_after' => 'poster_changed',
			'core.update_username' => 'renamed',
			'core.delete_user_after' => 'users_deleted',
			'core.index_modify_page_title' => 'index',
		];
	}

	public function submitted(data $event): void
	{
		$post = $event['data'];
		$this->safely(fn () => $this->report->topics([$post['topic_id']], (int) $post['post_id'], $event['mode'] === 'edit'));
	}

	public function topic_changed(data $event): void
	{
		$this->safely(fn () => $this->report->topics([$event['topic_id']]));
	}

	public function topics_changed(data $event): void
	{
		$this->topics = array_merge($this->topics, $event['topic_ids']);
		$this->safely(fn () => $this->report->topics($event['topic_ids']));
	}

	public function topics_deleted(data $event): void
	{
		$this->safely(fn () => $this->report->deleted($event['topic_ids']));
	}

	public function topics_moved(data $event): void
	{
		$this->safely(fn () => $this->report->topics($event['topic_ids'], 0, true));
	}

	public function posts_moved(data $event): void
	{
		$this->safely(fn () => $this->report->topics([...$event['topic_ids'], $event['topic_id']]));
	}

	public function poster_changed(data $event): void
	{
		$this->safely(fn () => $this->report->topics([$event['post_info']['topic_id']]));
	}

	public function renamed(data $event): void
	{
		$this->safely(fn () => $this->report->renamed($event['old_name'], $event['new_name']));
	}

	public function users_deleted(data $event): void
	{
		$this->safely(fn () => $this->report->users_deleted($event['user_ids']));
		$this->safely(fn () => $this->report->topics($this->topics));
	}

	public function index(): void
	{
		$this->language->add_lang('common', 'laurel/leaderboards');
		$registered = !empty($this->user->data['is_registered']);
		$this->template->assign_vars([
			'LAUREL_URL' => rtrim((string) $this->config['laurel_url'], '/'),
			'LAUREL_BOARD' => (string) $this->config['laurel_board'],
			'LAUREL_USER' => $registered ? (int) $this->user->data['user_id'] : 0,
			'U_LAUREL_TOKEN' => $registered ? $this->helper->route('laurel_leaderboards_token', [], false) : '',
		]);
	}

	/** Does something so that no member gets an error because of a board. */
	private function safely(callable $report): void
	{
		try
		{
			$report();
		}
		catch (\Throwable $e)
		{
			$this->log->add('critical', ANONYMOUS, '', 'LOG_LAUREL', time(), [utf8_htmlspecialchars("Laurel: $e")]);
		}
	}
}
