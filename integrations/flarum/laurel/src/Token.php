<?php

namespace Laurel\Flarum;

use Flarum\Http\RequestUtil;
use Flarum\Settings\SettingsRepositoryInterface;
use Laminas\Diactoros\Response\JsonResponse;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Server\RequestHandlerInterface;

/** GET /laurel/token: a token of the visitor for 15 minutes, by Flarum's session. */
class Token implements RequestHandlerInterface
{
    public function __construct(private SettingsRepositoryInterface $settings)
    {
    }

    public function handle(ServerRequestInterface $request): ResponseInterface
    {
        $actor = RequestUtil::getActor($request);
        $secret = (string) $this->settings->get('laurel.user_secret');
        if ($actor->isGuest()) {
            return $this->answer(['error' => 'sign in first'], 401);
        }
        if (strlen($secret) < 32) {
            return $this->answer(['error' => 'the secret of tokens is not set'], 501);
        }
        $encode = fn (string $bytes) => rtrim(strtr(base64_encode($bytes), '+/', '-_'), '=');
        $claims = ['sub' => (string) $actor->id, 'aud' => 'laurel', 'exp' => time() + 15 * 60];
        $text = $encode('{"alg":"HS256","typ":"JWT"}').'.'.$encode((string) json_encode($claims));

        return $this->answer(['token' => $text.'.'.$encode(hash_hmac('sha256', $text, $secret, true))], 200);
    }

    private function answer(array $body, int $status): ResponseInterface
    {
        return new JsonResponse($body, $status, ['Cache-Control' => 'private, no-store']);
    }
}
