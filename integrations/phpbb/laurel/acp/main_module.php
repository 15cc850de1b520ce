<?php

namespace laurel\leaderboards\acp;

use laurel\leaderboards\core\elements;
use laurel\leaderboards\core\pairing;
use laurel\leaderboards\core\queue;

/** The page of settings. */
class main_module
{
	public string $u_action;
	public string $tpl_name;
	public string $page_title;

	public function main($id, $mode)
	{
		global $phpbb_container;
		[$config, $texts, $request, $template, $language, $user, $queue, $comparison, $elements] = array_map([$phpbb_container, 'get'], [
			'config', 'config_text', 'request', 'template', 'language', 'user', 'laurel.leaderboards.queue', 'laurel.leaderboards.comparison', 'laurel.leaderboards.elements',
		]);
		$language->add_lang('common', 'laurel/leaderboards');
		$this->tpl_name = 'acp_laurel';
		$this->page_title = $language->lang('ACP_LAUREL_SETTINGS');
		add_form_key('laurel');
		if ($does = current(array_filter(['pair', 'compare', 'again', 'show', 'submit'], [$request, 'is_set_post'])))
		{
			if (!check_form_key('laurel'))
			{
				trigger_error($language->lang('FORM_INVALID') . adm_back_link($this->u_action), E_USER_WARNING);
			}
			if ($does === 'pair')
			{
				$wrong = $phpbb_container->get('laurel.leaderboards.pairing')->pair($request->variable('pair_url', ''), $request->variable('pair_code', ''));
				$wrong || $comparison->begin();
				trigger_error($language->lang($wrong ?: 'LAUREL_PAIRED') . adm_back_link($this->u_action), $wrong ? E_USER_WARNING : E_USER_NOTICE);
			}
			match ($does) {
				'compare' => $comparison->compare(),
				'again' => $queue->again(),
				'show' => $this->choose($elements, $request),
				'submit' => $this->save($config, $texts, $request),
			};
			$does === 'compare' || trigger_error($language->lang('CONFIG_UPDATED') . adm_back_link($this->u_action));
		}
		$template->assign_vars([
			'U_ACTION' => $this->u_action,
			'LAUREL_URL' => $config['laurel_url'],
			'LAUREL_BOARD' => $config['laurel_board'],
			'LAUREL_HOOK_SECRET' => $config['laurel_hook_secret'] !== '',
			'LAUREL_USER_SECRET' => $config['laurel_user_secret'] !== '',
			'LAUREL_GROUPS' => (string) $texts->get('laurel_groups'),
			'LAUREL_STATUS' => $this->status($config, $language, $queue),
			'LAUREL_COMPARED' => implode('<br>', array_map('htmlspecialchars', $this->compared($language, $user, $comparison->found()))),
			'LAUREL_LAST' => $config['laurel_last'] ? $user->format_date((int) $config['laurel_last']) : $language->lang('LAUREL_NEVER'),
			'LAUREL_KINDS' => $this->kinds($elements, $language),
			'LAUREL_ERROR' => utf8_htmlspecialchars($config['laurel_error']),
		]);
	}

	/** Returns how reporting is. */
	private function status(\phpbb\config\config $config, \phpbb\language\language $language, queue $queue): string
	{
		if ($config['laurel_url'] === '' || $config['laurel_hook_secret'] === '')
		{
			return $language->lang('LAUREL_UNPAIRED');
		}
		$last = $queue->count('sent = 1', 'COALESCE(MAX(due), 0)');
		$when = $last ? $language->lang('LAUREL_AGO', time() - $last) : $language->lang('LAUREL_NO_REPORT');
		$error = preg_replace('/^.*?(waits|is dropped): /', '', (string) $config['laurel_error']);
		$wrong = $queue->count('sent = 0 AND tries > 0') ? ' ' . $language->lang(pairing::key($error)) : '';
		return $language->lang('LAUREL_STATUS', $when, $queue->count('sent = 0')) . $wrong;
	}

	/** Returns whether boards equal the tables, and the members who differ with their differences: lines. */
	private function compared(\phpbb\language\language $language, \phpbb\user $user, array $found): array
	{
		$at = $user->format_date($found['at'], 'H:i', true);
		if (!$found['at'] || $found['wrong'])
		{
			return [$found['at'] ? $language->lang('LAUREL_COMPARE_FAILED', $at, $language->lang($found['wrong'])) : $language->lang('LAUREL_NOT_COMPARED')];
		}
		$number = count($found['differ']);
		$lines = [
			$number ? $language->lang('LAUREL_DIFFER', $at, $number) : $language->lang('LAUREL_EQUAL', $at),
			$language->lang('LAUREL_COMPARED', implode(', ', $found['actions']), $user->format_date($found['since'])),
		];
		in_array('like', $found['actions'], true) || $lines[] = $language->lang('LAUREL_NO_LIKES');
		foreach (array_slice($found['differ'], 0, 50) as $m)
		{
			$lines[] = $language->lang('LAUREL_MEMBER', $m['name'] ?? $m['user'], $m['should'], $m['has']);
			foreach (array_slice($m['differences'], 0, 20) as $d)
			{
				$kind = ['missing' => 'LAUREL_MISSING', 'undone' => 'LAUREL_UNDONE', 'surplus' => 'LAUREL_SURPLUS', 'day' => 'LAUREL_DAY'][$d['kind']] ?? 'LAUREL_OTHER';
				$lines[] = '» ' . implode(' ', array_intersect_key($d, ['action' => 0, 'target' => 0, 'ref' => 0, 'forum' => 0])) . ': ' . $language->lang($kind);
			}
		}
		return $lines;
	}

	/** Returns the choices for each kind of element: its title and its fields, with the present choices. */
	private function kinds(elements $elements, \phpbb\language\language $language): array
	{
		$boards = $elements->boards($language->lang('USER_LANG'));
		$place = ['nowhere' => $language->lang('LAUREL_NOWHERE'), 'index_top' => $language->lang('LAUREL_INDEX_TOP'), 'index_bottom' => $language->lang('LAUREL_INDEX_BOTTOM'), 'profile' => $language->lang('LAUREL_PROFILE')];
		$window = [
			'day' => $language->lang('LAUREL_DAY_WINDOW'), 'week' => $language->lang('LAUREL_WEEK_WINDOW'), 'month' => $language->lang('LAUREL_MONTH_WINDOW'),
			'quarter' => $language->lang('LAUREL_QUARTER_WINDOW'), 'year' => $language->lang('LAUREL_YEAR_WINDOW'), 'all' => $language->lang('LAUREL_ALL_WINDOW'),
			'7d' => $language->lang('LAUREL_7D_WINDOW'), '30d' => $language->lang('LAUREL_30D_WINDOW'), 'contest' => $language->lang('LAUREL_CONTEST_WINDOW'),
		];
		$layout = ['table' => $language->lang('LAUREL_TABLE'), 'podium' => $language->lang('LAUREL_PODIUM'), 'compact' => $language->lang('LAUREL_COMPACT')];
		$labels = [
			'place' => $language->lang('LAUREL_PLACE'), 'board' => $language->lang('LAUREL_BOARD'), 'windows' => $language->lang('LAUREL_WINDOWS'),
			'window' => $language->lang('LAUREL_WINDOW'), 'layout' => $language->lang('LAUREL_LAYOUT'), 'limit' => $language->lang('LAUREL_LIMIT'),
		];
		$kinds = [];
		foreach (elements::KINDS as $kind => [, , , $title])
		{
			$fields = [];
			foreach ($elements->chosen($kind) as $name => $value)
			{
				$options = ['place' => $place, 'board' => $boards + [$value => $value], 'windows' => $window, 'window' => $kind === 'winners' ? array_intersect_key($window, array_flip(elements::ENDING)) : $window, 'layout' => $layout][$name] ?? [];
				$fields[] = ['id' => "laurel_{$kind}_$name", 'label' => $labels[$name], 'options' => $options, 'value' => $value, 'many' => $name === 'windows', 'most' => $kind === 'winners' ? 31 : 100];
			}
			$kinds[] = ['title' => $language->lang($title), 'fields' => $fields];
		}
		return $kinds;
	}

	/** Keeps the choices for each kind of element. */
	private function choose(elements $elements, \phpbb\request\request_interface $request): void
	{
		foreach (array_keys(elements::KINDS) as $kind)
		{
			$given = ['windows' => implode(' ', $request->variable("laurel_{$kind}_windows", ['']))];
			foreach (['place', 'board', 'window', 'layout', 'limit'] as $name)
			{
				$given[$name] = $request->variable("laurel_{$kind}_$name", '');
			}
			$elements->choose($kind, $given);
		}
	}

	/** Keeps settings; a secret that is left empty stays. */
	private function save(\phpbb\config\config $config, \phpbb\config\db_text $texts, \phpbb\request\request_interface $request): void
	{
		foreach (['laurel_url', 'laurel_board', 'laurel_hook_secret', 'laurel_user_secret'] as $name)
		{
			$value = htmlspecialchars_decode(trim($request->variable($name, '', true)), ENT_COMPAT);
			if ($value === '' && str_ends_with($name, 'secret') || $name === 'laurel_url' && !preg_match('~^(https?://\S+)?$~', $value))
			{
				continue;
			}
			$config->set($name, $value);
		}
		$texts->set('laurel_groups', htmlspecialchars_decode($request->variable('laurel_groups', '', true), ENT_COMPAT));
	}
}
