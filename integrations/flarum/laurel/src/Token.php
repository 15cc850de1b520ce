<?php

namespace Laurel\Flarum;

use Flarum\Http\RequestUtil;
use Laminas\Diactoros\Response\JsonResponse;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Server\RequestHandlerInterface;

/** GET /laurel/token: a token of the visitor for 15 minutes, by Flarum's session. */
class Token implements RequestHandlerInterface
{
    public function __construct(private Member $member)
    {
    }

    public function handle(ServerRequestInterface $request): ResponseInterface
    {
        $actor = RequestUtil::getActor($request);
        if ($actor->isGuest()) {
            return $this->answer(['error' => 'sign in first'], 401);
        }
        if (! $this->member->known()) {
            return $this->answer(['error' => 'the secret of tokens is not set'], 501);
        }

        return $this->answer(['token' => $this->member->token((int) $actor->id)], 200);
    }

    private function answer(array $body, int $status): ResponseInterface
    {
        return new JsonResponse($body, $status, ['Cache-Control' => 'private, no-store']);
    }
}
