<?php

namespace laurel\leaderboards\event;

use laurel\leaderboards\core\elements;
use laurel\leaderboards\core\member;
use laurel\leaderboards\core\report;
use phpbb\config\config;
use phpbb\controller\helper;
use phpbb\event\data;
use phpbb\language\language;
use phpbb\log\log_interface;
use phpbb\request\request_interface;
use phpbb\template\template;
use phpbb\user;
use Symfony\Component\EventDispatcher\EventSubscriberInterface;

/** Handles changes of topics and users, shows the elements, and lets members hide in their preferences. */
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
		private language $language,
		private request_interface $request,
		private member $member,
		private elements $elements
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
			'core.add_log' => 'logged',
			'core.group_add_user_after' => 'groups_changed',
			'core.group_delete_user_after' => 'groups_changed',
			'core.user_set_group_attributes' => 'groups_changed', // pending ones are approved
			'core.index_modify_page_title' => 'shown',
			'core.memberlist_view_profile' => 'shown',
			'core.ucp_prefs_personal_data' => 'preferences',
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
		$this->safely(fn () => $this->report->users_deleted($event['user_ids'], $event['user_rows'] ?? []));
		$this->safely(fn () => $this->report->topics($this->topics));
	}

	/** The extension Merge Users has no event of its own. */
	public function logged(data $event): void
	{
		if ($event['log_operation'] === 'LOG_USERS_MERGED' && count($event['additional_data']) >= 2)
		{
			$this->safely(fn () => $this->report->merged(...array_slice(array_values($event['additional_data']), 0, 2)));
		}
	}

	public function groups_changed(data $event): void
	{
		$this->safely(fn () => $this->report->regrouped((array) $event['user_id_ary']));
	}

	/** Assigns the elements of a page at each place. */
	public function shown(): void
	{
		$this->language->add_lang('common', 'laurel/leaderboards');
		$user = empty($this->user->data['is_registered']) ? 0 : (int) $this->user->data['user_id'];
		$token = $user ? $this->helper->route('laurel_leaderboards_token', [], false) : '';
		$html = fn (string $place) => $this->elements->html($place, $user, $token, [$this->language, 'lang']);
		$this->template->assign_vars([
			'LAUREL_URL' => rtrim((string) $this->config['laurel_url'], '/'),
			'LAUREL_INDEX_TOP' => $html('index_top'),
			'LAUREL_INDEX_BOTTOM' => $html('index_bottom'),
			'LAUREL_PROFILE' => $html('profile'),
		]);
	}

	/** Adds the switch to the member's preferences, and asks Laurel for its position. */
	public function preferences(data $event): void
	{
		if (!$this->member->known())
		{
			return;
		}
		$this->language->add_lang('common', 'laurel/leaderboards');
		$user = (int) $this->user->data['user_id'];
		$was = $this->request->variable('laurel_was', '');
		$wanted = $this->request->variable('laurel_shown', 0) ? 'shown' : 'hidden';
		$asked = $event['submit'] && $was !== '' && $was !== $wanted && !$event['error'] && check_form_key('ucp_prefs_personal');
		if ($asked && $this->member->visibility($user, $wanted) === '')
		{
			$event['error'] = ['LAUREL_UNHEARD'];
		}
		$this->template->assign_vars(['LAUREL_HIDES' => true, 'LAUREL_STATE' => $this->member->visibility($user)]);
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
