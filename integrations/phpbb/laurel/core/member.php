<?php

namespace laurel\leaderboards\core;

use phpbb\config\config;

/** Requests to Laurel for one member, whom it knows by a token that the forum signs. */
class member
{
	public function __construct(private config $config, private queue $queue)
	{
	}

	/** Says whether there is a Laurel, and a secret to sign with. */
	public function known(): bool
	{
		return $this->config['laurel_url'] !== '' && strlen((string) $this->config['laurel_user_secret']) >= 32;
	}

	/** Returns a token of a member for 15 minutes. */
	public function token(int $user): string
	{
		$encode = fn (string $bytes) => rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
		$claims = ['sub' => (string) $user, 'aud' => 'laurel', 'exp' => time() + 15 * 60];
		$text = $encode('{"alg":"HS256","typ":"JWT"}') . '.' . $encode((string) json_encode($claims));
		return $text . '.' . $encode(hash_hmac('sha256', $text, (string) $this->config['laurel_user_secret'], true));
	}

	/** Returns 'shown' or 'hidden', as Laurel has it or is asked to have it from now on; '' where it does not answer. */
	public function visibility(int $user, string $wanted = ''): string
	{
		$options = [CURLOPT_HTTPHEADER => ['Authorization: Bearer ' . $this->token($user), 'Content-Type: application/json']];
		if ($wanted !== '')
		{
			$options += [CURLOPT_CUSTOMREQUEST => 'PUT', CURLOPT_POSTFIELDS => (string) json_encode(['boards' => $wanted])];
		}
		[$status, $answer] = $this->queue->ask("/v1/users/$user/visibility", 5, $options);
		return $status === 200 ? (string) (json_decode($answer, true)['boards'] ?? '') : '';
	}
}
