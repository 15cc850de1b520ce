<?php

namespace Laurel\Flarum;

use Flarum\Settings\SettingsRepositoryInterface;
use Illuminate\Database\ConnectionInterface;
use Illuminate\Database\Query\Builder;
use Psr\Log\LoggerInterface;

/**
 * The queue is a table: a member's act adds a row, which is sent when the page is done (PHP-FPM), or by
 * Flarum's scheduler. Flarum's own queue is not used: unless the owner has set up another one, its jobs run
 * while the member waits, and are not tried again.
 */
class Queue
{
    /** Laurel takes nothing older, in seconds: that is imported. */
    public const LATEST = 172800;

    private static bool $armed = false;

    public function __construct(
        private ConnectionInterface $db,
        private SettingsRepositoryInterface $settings,
        private LoggerInterface $log
    ) {
    }

    /** Adds a body; empty parts are left out. */
    public function add(array $body): void
    {
        $body = array_filter($body);
        if (! $body || ! $this->settings->get('laurel.url')) {
            return;
        }
        $this->rows()->insert(['made' => time(), 'body' => json_encode($body, JSON_INVALID_UTF8_SUBSTITUTE)]);
        if (function_exists('fastcgi_finish_request') && ! self::$armed) {
            self::$armed = true;
            register_shutdown_function(function () {
                fastcgi_finish_request();
                $this->send(2);
            });
        }
    }

    /** Sends due rows for some seconds, in order. Refused ones are sent again later, for two days. */
    public function send(float $seconds): void
    {
        $old = $this->rows()->where('made', '<', time() - self::LATEST);
        if ($lost = (clone $old)->where('sent', 0)->count()) {
            $this->log->error("Laurel: $lost reports were not taken for two days and are dropped");
        }
        $old->delete();
        for ($end = microtime(true) + $seconds; microtime(true) < $end;) {
            $row = $this->rows()->where('sent', 0)->orderBy('id')->first();
            // The process that moves the time has the row for 30 seconds; other processes wait for it, and for a crashed one.
            $moved = ['due' => time() + 30, 'tries' => ($row->tries ?? 0) + 1];
            if (! $row || $row->due > time() || ! $this->row($row)->where('due', $row->due)->update($moved)) {
                return;
            }
            $error = $this->post("msg_$row->id", $row->body, (int) ceil(min(5, $seconds)));
            $taken = $error === '' || preg_match('/^4(13|15|22) /', $error); // these are refused for ever
            $pause = $taken ? 0 : min(3600, 15 * 2 ** min(10, $row->tries));
            $this->row($row)->update(['sent' => (int) $taken, 'due' => time() + $pause]);
            if ($error !== '') {
                $this->settings->set('laurel.error', substr($error, 0, 250));
                $this->log->error("Laurel: report $row->id ".($taken ? 'is dropped: ' : 'waits: ').$error);
            }
        }
    }

    /** Has all that is kept sent again: it changes nothing that is right. */
    public function again(): void
    {
        $this->rows()->update(['sent' => 0, 'due' => 0, 'tries' => 0]);
    }

    /** Returns how many reports wait, how many of these were not taken, and how many seconds ago the last was sent. */
    public function state(): array
    {
        $waits = fn () => $this->rows()->where('sent', 0);
        $last = (int) $this->rows()->where('sent', 1)->max('due');

        return ['waiting' => $waits()->count(), 'tried' => $waits()->where('tries', '>', 0)->count(), 'last' => $last ? max(1, time() - $last) : 0];
    }

    private function rows(): Builder
    {
        return $this->db->table('laurel_queue');
    }

    private function row(object $row): Builder
    {
        return $this->rows()->where('id', $row->id);
    }

    /** Sends a body. Returns '', or the status and the error. */
    private function post(string $id, string $body, int $timeout): string
    {
        [$status, $answer] = $this->call($id, $body, $timeout);

        return $status === 200 ? '' : "$status ".substr($answer, 0, 500);
    }

    /** Returns the status of, and the answer to, a body that is signed as Standard Webhooks says. */
    public function call(string $id, string $body, int $timeout): array
    {
        $secret = (string) $this->settings->get('laurel.hook_secret');
        $key = str_starts_with($secret, 'whsec_') ? (string) base64_decode(substr($secret, 6)) : $secret;
        $at = time();
        $signature = 'v1,'.base64_encode(hash_hmac('sha256', "$id.$at.$body", $key, true));

        return $this->ask('/v1/hooks/standard', $timeout, [CURLOPT_POSTFIELDS => $body, CURLOPT_HTTPHEADER => [
            'Content-Type: application/json', "webhook-id: $id", "webhook-timestamp: $at", "webhook-signature: $signature",
        ]]);
    }

    /** Returns the status and the answer of a path of Laurel's, or 0 and why there is none. */
    public function ask(string $path, int $timeout = 10, array $options = []): array
    {
        $request = curl_init(rtrim((string) $this->settings->get('laurel.url'), '/').$path);
        curl_setopt_array($request, $options + [
            CURLOPT_TIMEOUT => $timeout, CURLOPT_RETURNTRANSFER => true, CURLOPT_PROTOCOLS => CURLPROTO_HTTP | CURLPROTO_HTTPS,
        ]);
        $answer = curl_exec($request);

        return [curl_getinfo($request, CURLINFO_RESPONSE_CODE), (string) ($answer ?: curl_error($request))];
    }
}
