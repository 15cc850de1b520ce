<?php

namespace laurel\leaderboards\controller;

use laurel\leaderboards\core\member;
use phpbb\config\config;
use phpbb\user;
use Symfony\Component\HttpFoundation\JsonResponse;

/** The route /laurel/token: a token of the visitor for 15 minutes, by phpBB's session. */
class token
{
	public function __construct(private config $config, private user $user, private member $member)
	{
	}

	public function handle(): JsonResponse
	{
		if (empty($this->user->data['is_registered']))
		{
			return $this->answer(['error' => 'sign in first'], 401);
		}
		if (strlen((string) $this->config['laurel_user_secret']) < 32)
		{
			return $this->answer(['error' => 'the secret of tokens is not set'], 501);
		}
		return $this->answer(['token' => $this->member->token((int) $this->user->data['user_id'])], 200);
	}

	private function answer(array $body, int $status): JsonResponse
	{
		return new JsonResponse($body, $status, ['Cache-Control' => 'private, no-store']);
	}
}
