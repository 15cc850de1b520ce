<?php

namespace laurel\leaderboards\controller;

use phpbb\config\config;
use phpbb\user;
use Symfony\Component\HttpFoundation\JsonResponse;

/** The route /laurel/token: a token of the visitor for 15 minutes, by phpBB's session. */
class token
{
	public function __construct(private config $config, private user $user)
	{
	}

	public function handle(): JsonResponse
	{
		$secret = (string) $this->config['laurel_user_secret'];
		if (empty($this->user->data['is_registered']))
		{
			return $this->answer(['error' => 'sign in first'], 401);
		}
		if (strlen($secret) < 32)
		{
			return $this->answer(['error' => 'the secret of tokens is not set'], 501);
		}
		$encode = fn (string $bytes) => rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
		$claims = ['sub' => (string) (int) $this->user->data['user_id'], 'aud' => 'laurel', 'exp' => time() + 15 * 60];
		$text = $encode('{"alg":"HS256","typ":"JWT"}') . '.' . $encode((string) json_encode($claims));
		return $this->answer(['token' => $text . '.' . $encode(hash_hmac('sha256', $text, $secret, true))], 200);
	}

	private function answer(array $body, int $status): JsonResponse
	{
		return new JsonResponse($body, $status, ['Cache-Control' => 'private, no-store']);
	}
}
