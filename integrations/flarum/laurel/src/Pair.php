<?php

namespace Laurel\Flarum;

use Flarum\Http\RequestUtil;
use Flarum\Settings\SettingsRepositoryInterface;
use Laminas\Diactoros\Response\JsonResponse;
use Psr\Http\Message\ResponseInterface;
use Psr\Http\Message\ServerRequestInterface;
use Psr\Http\Server\RequestHandlerInterface;

/**
 * POST /api/laurel/pair with Laurel's address and a code: the forum gets the secrets; with compare: it compares. GET
 * shows the state of reports. An error is the key of a text.
 */
class Pair implements RequestHandlerInterface
{
    public function __construct(private SettingsRepositoryInterface $settings, private Queue $queue, private Comparison $comparison)
    {
    }

    public function handle(ServerRequestInterface $request): ResponseInterface
    {
        RequestUtil::getActor($request)->assertAdmin();
        $given = (array) $request->getParsedBody();
        $posted = $request->getMethod() === 'POST';
        $wrong = '';
        if ($posted && ! empty($given['compare'])) {
            $this->comparison->compare();
        } elseif ($posted) {
            $wrong = $this->exchange((string) ($given['url'] ?? ''), (string) ($given['code'] ?? ''));
        }
        $compared = $this->comparison->found();
        $paired = $this->settings->get('laurel.url') && $this->settings->get('laurel.hook_secret');
        ['waiting' => $waiting, 'tried' => $tried, 'last' => $last] = $this->queue->state();
        $trouble = $tried ? self::key((string) $this->settings->get('laurel.error')) : '';

        return new JsonResponse(compact('wrong', 'paired', 'waiting', 'last', 'trouble', 'compared'), 200, ['Cache-Control' => 'no-store']);
    }

    /** Pairs. Returns '', or the key of the error. */
    private function exchange(string $url, string $code): string
    {
        $url = rtrim(trim($url), '/');
        $here = preg_match('~^http://(localhost|127\.\d+\.\d+\.\d+|\[::1\])(:\d+)?(/|$)~', $url);
        if (! $here && ! preg_match('~^https://[^/\s]+~', $url)) {
            return 'needs_https';
        }
        $request = curl_init("$url/v1/pair");
        curl_setopt_array($request, [
            CURLOPT_POSTFIELDS => json_encode(['code' => trim($code)]), CURLOPT_TIMEOUT => 10, CURLOPT_RETURNTRANSFER => true,
            CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS, CURLOPT_HTTPHEADER => ['Content-Type: application/json'],
        ]);
        $answer = (string) curl_exec($request);
        $status = curl_getinfo($request, CURLINFO_RESPONSE_CODE);
        $got = json_decode($answer, true);
        if ($status !== 200 || empty($got['hookSecret'])) {
            return self::key("$status $answer");
        }
        $this->settings->set('laurel.url', $url);
        $this->settings->set('laurel.board', $this->settings->get('laurel.board') ?: $got['board']);
        $this->settings->set('laurel.hook_secret', $got['hookSecret']);
        $this->settings->set('laurel.user_secret', $got['userSecret'] ?? '');
        $this->comparison->begin();

        return '';
    }

    /** Returns the key of an owner's remedy for an error: a status and the answer. */
    public static function key(string $error): string
    {
        $keys = [
            '/pairing_refused|^422 /' => 'wrong_code', '/tls_required/' => 'needs_https', '/^401 /' => 'wrong_secret',
            '/^(200|404|405) /' => 'not_there', '/^501 /' => 'no_secret', '/^0 /' => 'no_answer',
        ];

        return current(array_filter($keys, fn ($form) => preg_match($form, $error), ARRAY_FILTER_USE_KEY)) ?: 'fails';
    }
}
