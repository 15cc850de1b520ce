<?php

namespace laurel\leaderboards\core;

use phpbb\config\config;

/** Pairing: the owner types Laurel's address and a code, for which the forum gets the secrets. */
class pairing
{
	public function __construct(private config $config)
	{
	}

	/** Pairs. Returns '', or the key of the error. */
	public function pair(string $url, string $code): string
	{
		$url = rtrim(trim($url), '/');
		$here = preg_match('~^http://(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?(/|$)~', $url);
		if (!$here && !preg_match('~^https://[^/\s]+~', $url))
		{
			return 'LAUREL_NEEDS_HTTPS';
		}
		$request = curl_init("$url/v1/pair");
		curl_setopt_array($request, [
			CURLOPT_POSTFIELDS => json_encode(['code' => trim($code)]), CURLOPT_TIMEOUT => 10, CURLOPT_RETURNTRANSFER => true,
			CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS, CURLOPT_HTTPHEADER => ['Content-Type: application/json'],
		]);
		$answer = (string) curl_exec($request);
		$status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);
		$got = json_decode($answer, true);
		if ($status !== 200 || empty($got['hookSecret']))
		{
			return self::key("$status $answer");
		}
		$this->config->set('laurel_url', $url);
		$this->config->set('laurel_board', $this->config['laurel_board'] ?: $got['board']);
		$this->config->set('laurel_hook_secret', $got['hookSecret']);
		$this->config->set('laurel_user_secret', $got['userSecret'] ?? '');
		return '';
	}

	/** Returns the key of an owner's remedy for an error: a status and the answer. */
	public static function key(string $error): string
	{
		$keys = [
			'/pairing_refused|^422 /' => 'LAUREL_WRONG_CODE', '/tls_required/' => 'LAUREL_NEEDS_HTTPS', '/^401 /' => 'LAUREL_WRONG_SECRET',
			'/^(200|404|405) /' => 'LAUREL_NOT_THERE', '/^501 /' => 'LAUREL_NO_SECRET', '/^0 /' => 'LAUREL_NO_ANSWER',
		];
		return current(array_filter($keys, fn ($form) => preg_match($form, $error), ARRAY_FILTER_USE_KEY)) ?: 'LAUREL_FAILS';
	}
}
