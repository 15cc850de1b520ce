<?php

namespace Laurel\Flarum;

use Flarum\Http\RequestUtil;
use Flarum\Settings\SettingsRepositoryInterface;
use Laminas\Diactoros\Response\JsonResponse;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Server\RequestHandlerInterface;

/** GET and POST /api/laurel/visibility: whether the visitor is shown on boards, and the wish to be so, or not. */
class Visibility implements RequestHandlerInterface
{
    public function __construct(private SettingsRepositoryInterface $settings, private Member $member)
    {
    }

    public function handle(ServerRequestInterface $request): ResponseInterface
    {
        $actor = RequestUtil::getActor($request);
        $known = ! $actor->isGuest() && $this->settings->get('laurel.url') && $this->member->known();
        $given = (array) $request->getParsedBody();
        $wanted = $request->getMethod() === 'POST' ? (empty($given['shown']) ? 'hidden' : 'shown') : '';
        $state = $known ? $this->member->visibility((int) $actor->id, $wanted) : '';

        return new JsonResponse(['known' => (bool) $known, 'state' => $state], 200, ['Cache-Control' => 'no-store']);
    }
}
