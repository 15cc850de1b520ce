<?php

namespace laurel\leaderboards\acp;

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
		[$config, $request, $template, $language, $user, $queue] = array_map(
			[$phpbb_container, 'get'], ['config', 'request', 'template', 'language', 'user', 'laurel.leaderboards.queue']
		);
		$this->tpl_name = 'acp_laurel';
		$this->page_title = $language->lang('ACP_LAUREL_SETTINGS');
		add_form_key('laurel');
		if ($request->is_set_post('submit') || $request->is_set_post('again') || $request->is_set_post('pair'))
		{
			if (!check_form_key('laurel'))
			{
				trigger_error($language->lang('FORM_INVALID') . adm_back_link($this->u_action), E_USER_WARNING);
			}
			if ($request->is_set_post('pair'))
			{
				$wrong = $phpbb_container->get('laurel.leaderboards.pairing')->pair($request->variable('pair_url', ''), $request->variable('pair_code', ''));
				trigger_error($language->lang($wrong ?: 'LAUREL_PAIRED') . adm_back_link($this->u_action), $wrong ? E_USER_WARNING : E_USER_NOTICE);
			}
			$request->is_set_post('again') ? $queue->again() : $this->save($config, $request);
			trigger_error($language->lang('CONFIG_UPDATED') . adm_back_link($this->u_action));
		}
		$template->assign_vars([
			'U_ACTION' => $this->u_action,
			'LAUREL_URL' => $config['laurel_url'],
			'LAUREL_BOARD' => $config['laurel_board'],
			'LAUREL_HOOK_SECRET' => $config['laurel_hook_secret'] !== '',
			'LAUREL_USER_SECRET' => $config['laurel_user_secret'] !== '',
			'LAUREL_STATUS' => $this->status($config, $language, $queue),
			'LAUREL_LAST' => $config['laurel_last'] ? $user->format_date((int) $config['laurel_last']) : $language->lang('LAUREL_NEVER'),
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

	/** Keeps settings; a secret that is left empty stays. */
	private function save(\phpbb\config\config $config, \phpbb\request\request_interface $request): void
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
	}
}
