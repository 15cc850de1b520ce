<?php

namespace Laurel\Flarum;

use Flarum\Post\Post;
use Flarum\Settings\SettingsRepositoryInterface;
use Flarum\User\Guest;
use Psr\Log\LoggerInterface;

/** Comparing: Flarum's own tables show the points that members should have this month, and Laurel names the members who differ. */
class Comparison
{
    /** How many members, and differences of each, are kept: a setting has 64 KB. */
    private const MEMBERS = 30, DIFFERENCES = 10;

    public function __construct(
        private SettingsRepositoryInterface $settings,
        private Queue $queue,
        private LoggerInterface $log
    ) {
    }

    /** Starts again: earlier activities than the pairing are not compared. */
    public function begin(): void
    {
        $this->settings->delete('laurel.compared');
        $this->compare();
    }

    /** Compares the month, from the first time on or, once Laurel has the history, from its start; and keeps the result. */
    public function compare(): void
    {
        $actions = $this->liked() ? ['comment', 'like', 'publish'] : ['comment', 'publish'];
        $from = $this->found()['from'] ?: time();
        $found = ['at' => time(), 'since' => $from, 'wrong' => '', 'number' => 0, 'differ' => []] + compact('actions', 'from');
        $asked = ['actions' => $actions, 'since' => $this->moment($from)];
        foreach ($this->groups($this->standing()) as $some) {
            $body = $asked + ['users' => array_map('strval', array_keys($some)), 'activities' => array_merge(...array_values($some))];
            [$status, $answer] = $this->queue->call('cmp_'.bin2hex(random_bytes(16)), json_encode(['compare' => $body]), 20);
            $said = json_decode($answer, true)['compared'] ?? null;
            if (! $said) {
                $found['wrong'] = Pair::key("$status $answer");
                $this->log->error("Laurel: the comparison waits: $status ".substr($answer, 0, 500));
                break;
            }
            $found['actions'] = $said['actions'];
            $found['since'] = strtotime($said['since']);
            foreach (array_filter($said['differ'], fn ($m) => ! isset($m['apart'])) as $m) {
                $found['number']++;
                $found['differ'][] = ['differences' => array_slice($m['differences'], 0, self::DIFFERENCES)] + $m;
            }
        }
        $found['differ'] = array_slice($found['differ'], 0, self::MEMBERS);
        $this->settings->set('laurel.compared', json_encode($found));
    }

    /** Returns when it was compared, since when, and from when on it may be; the error, the actions, and the members who differ with their differences. */
    public function found(): array
    {
        return json_decode((string) $this->settings->get('laurel.compared'), true) ?: ['at' => 0, 'since' => 0, 'from' => 0];
    }

    /** Returns the rows of each member in the tables, without members who are on the board alone. */
    public function standing(): array
    {
        $users = [];
        $guest = new Guest();
        $seen = Post::query()->select('posts.id');
        $seen = $guest->can('viewForum') ? $seen->whereVisibleTo($guest) : $seen;
        foreach ($this->statements() as $statement) {
            $sql = "SELECT h.* FROM ($statement) h WHERE h.at > ".(time() - 32 * 86400)." AND h.id IN ({$seen->toSql()})";
            foreach ($seen->getConnection()->select($sql, $seen->getBindings()) as $row) {
                $users[$row->user_id][] = ['user' => (string) $row->user_id, 'at' => $this->moment((int) $row->at)]
                    + array_filter(['action' => $row->action, 'target' => $row->target, 'ref' => $row->ref]);
            }
        }
        $page = ['next' => '/v1/boards/'.rawurlencode((string) $this->settings->get('laurel.board')).'/month?limit=100'];
        while ($path = $page['next'] ?? '') {
            $page = json_decode($this->queue->ask($path)[1], true);
            $users += array_fill_keys(array_column(array_column($page['entries'] ?? [], 'user'), 'id'), []);
        }

        return $users;
    }

    /**
     * Returns the statements of posts and of likes, if there are any, with the ids of posts, as the database has them:
     * Flarum 2 runs on others than MySQL, too. Flarum itself tells which tags guests see.
     */
    private function statements(): array
    {
        $db = Post::resolveConnection();
        $driver = $db->getDriverName();
        $forms = [
            '/^--.*\n|\n  AND \S+ NOT IN .*(\n    .*)*/m' => '', '/^SELECT /m' => 'SELECT p.id, ', '/`user`/' => 'user_id',
            '/\b(FROM|JOIN) (\w+) /' => "$1 {$db->getTablePrefix()}$2 ",
            "/(?:TIMESTAMPDIFF\(SECOND, '1970-01-01', |UNIX_TIMESTAMP\()([\w.]+)\)/" => match ($driver) {
                'sqlite' => "CAST(strftime('%s', $1) AS INTEGER)", 'pgsql' => 'CAST(extract(epoch FROM $1) AS bigint)', default => '$0',
            },
            "/CONCAT\(('\w'), ([\w.]+)\)/" => in_array($driver, ['sqlite', 'pgsql'], true) ? '($1 || $2)' : '$0',
        ];
        $text = preg_replace(array_keys($forms), $forms, file_get_contents(__DIR__.'/../history.sql'));

        return array_slice(explode("\nUNION ALL\n", $text), 0, $this->liked() ? 2 : 1);
    }

    /** Says whether there is flarum/likes. */
    private function liked(): bool
    {
        return Post::resolveConnection()->getSchemaBuilder()->hasTable('post_likes');
    }

    /** Returns members in groups, each of which is a request: up to 50, or those with some 5,000 rows. */
    private function groups(array $users): array
    {
        $groups = [];
        $weight = 0;
        foreach ($users as $user => $done) {
            $weight += 100 + count($done);
            $groups[intdiv($weight, 5000)][$user] = $done;
        }

        return $groups;
    }

    private function moment(int $at): string
    {
        return gmdate('Y-m-d\TH:i:s\Z', $at);
    }
}
