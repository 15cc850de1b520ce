<?php

namespace Laurel\Flarum;

use Flarum\Http\RequestUtil;
use Flarum\Settings\SettingsRepositoryInterface;
use Laminas\Diactoros\Response\JsonResponse;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Server\RequestHandlerInterface;

/**
 * GET /api/laurel/elements lists an administrator's choices: Laurel's boards, and of each kind of element the
 * choices; POST keeps them.
 */
class Elements implements RequestHandlerInterface
{
    /** The choices of each kind. */
    public const KINDS = [
        'board' => ['board', 'windows', 'layout', 'limit'], 'friends' => ['board', 'windows', 'layout', 'limit'],
        'standing' => ['board', 'window'], 'days' => ['board'], 'hot' => ['limit'], 'winners' => ['board', 'window', 'limit'],
    ];
    /** Windows whose periods end, and have winners. */
    private const ENDING = ['day', 'week', 'month', 'quarter', 'year', 'contest'];
    private const CHOICES = ['place' => ['nowhere', 'sidebar', 'profile'], 'window' => ['day', 'week', 'month', 'quarter', 'year', 'all', '7d', '30d', 'contest'], 'ending' => self::ENDING, 'layout' => ['table', 'podium', 'compact']];

    public function __construct(private SettingsRepositoryInterface $settings, private Queue $queue)
    {
    }

    public function handle(ServerRequestInterface $request): ResponseInterface
    {
        RequestUtil::getActor($request)->assertAdmin();
        if ($request->getMethod() === 'POST') {
            $this->settings->set('laurel.elements', json_encode($this->chosen((array) $request->getParsedBody())));
        }
        $elements = $this->chosen((array) json_decode((string) $this->settings->get('laurel.elements'), true));
        $found = json_decode($this->queue->ask('/v1/boards', 3)[1], true)['boards'] ?? [];
        $boards = array_map(fn ($b) => ['name' => $b['board'], 'labels' => $b['labels'] ?? []], $found);
        $board = $this->settings->get('laurel.board') ?: 'activity';

        return new JsonResponse(['boards' => $boards ?: [['name' => $board, 'labels' => []]], 'choices' => self::CHOICES, 'elements' => $elements], 200, ['Cache-Control' => 'no-store']);
    }

    /** Returns the given choices of each kind as far as they are valid; numbers have limits. */
    private function chosen(array $given): array
    {
        $chosen = [];
        foreach (self::KINDS as $kind => $names) {
            $of = array_filter((array) ($given[$kind] ?? []), 'is_scalar') + ['place' => $kind === 'board' ? 'sidebar' : 'nowhere'];
            $one = fn (string $name, string $otherwise, ?string $among = null) => in_array($of[$name] ?? '', self::CHOICES[$among ?? $name], true) ? $of[$name] : $otherwise;
            [$rows, $most] = $kind === 'winners' ? [3, 31] : [10, 100];
            $all = [
                'board' => preg_match('/^[\w.-]{1,64}$/', (string) ($of['board'] ?? '')) ? $of['board'] : ($this->settings->get('laurel.board') ?: 'activity'),
                'windows' => implode(' ', array_intersect(self::CHOICES['window'], explode(' ', (string) ($of['windows'] ?? '')))) ?: 'day month',
                'window' => $one('window', 'month', $kind === 'winners' ? 'ending' : null),
                'layout' => $one('layout', 'compact'),
                'limit' => min($most, max(1, (int) ($of['limit'] ?? 0) ?: $rows)),
            ];
            $chosen[$kind] = ['place' => $one('place', 'nowhere')] + array_intersect_key($all, array_flip($names));
        }

        return $chosen;
    }
}
