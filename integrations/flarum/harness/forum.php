<?php

/**
 * A forum for tests: it changes its tables as Flarum does, and raises Flarum's events in Flarum's order. Started
 * as `php forum.php DATABASE SETTINGS`, it takes lines of JSON, [name, arguments...], and answers each with one.
 */
foreach (['Illuminate/Database', 'Illuminate/Events', 'Illuminate/Container', 'Symfony/Component/Console', 'Symfony/Component/Yaml', 'Psr/Http/Message', 'Psr/Log'] as $name) {
    require "$name/autoload.php";
}
set_error_handler(function (int $level, string $text, string $file, int $line) {
    if (! str_starts_with($file, '/usr/share/php/')) {
        throw new ErrorException($text, 0, $level, $file, $line);
    }
});
require __DIR__.'/stubs.php';
spl_autoload_register(function (string $class) {
    $file = __DIR__.'/../laurel/src/'.str_replace('\\', '/', substr($class, strlen('Laurel\\Flarum\\'))).'.php';
    str_starts_with($class, 'Laurel\\Flarum\\') && is_file($file) && require $file;
});

use Flarum\Discussion\Discussion;
use Flarum\Discussion\Event as Discussions;
use Flarum\Post\CommentPost;
use Flarum\Post\Event as Posts;
use Flarum\Tags\Tag;
use Flarum\User\Event as Users;
use Flarum\User\Guest;
use Flarum\User\User;
use Illuminate\Contracts\Events\Dispatcher;

[, $path, $given] = $argv;
$new = ! file_exists($path) && touch($path);
$capsule = new Illuminate\Database\Capsule\Manager();
$capsule->addConnection(['driver' => 'sqlite', 'database' => $path]);
$capsule->bootEloquent();
$db = $capsule->getConnection();
$db->statement('PRAGMA busy_timeout = 10000');
$events = new Illuminate\Events\Dispatcher();
Discussion::resolveRelationUsing('tags', fn (Discussion $d) => $d->belongsToMany(Tag::class, 'discussion_tag'));

final class Settings implements Flarum\Settings\SettingsRepositoryInterface
{
    public function __construct(public array $all) {}
    public function all(): array { return $this->all; }
    public function get(string $key, mixed $default = null): mixed { return $this->all[$key] ?? $default; }
    public function set(string $key, mixed $value): void { $this->all[$key] = $value; }
    public function delete(string $keyLike): void { unset($this->all[$keyLike]); }
}
final class Log extends Psr\Log\AbstractLogger
{
    public array $lines = [];
    public function log($level, $message, array $context = []) { $this->lines[] = "$level: $message"; }
}
final class Slugs implements Flarum\Http\SlugDriverInterface
{
    public function toSlug(Flarum\Database\AbstractModel $instance): string { return $instance->username; }
    public function fromSlug(string $slug, User $actor): Flarum\Database\AbstractModel { return $actor; }
}
$log = new Log();
$settings = new Settings(json_decode($given, true) + ['laurel.compared' => json_encode(['at' => time(), 'since' => 0, 'from' => 0])]);
$container = new Illuminate\Container\Container();
$container->instance(Flarum\Settings\SettingsRepositoryInterface::class, $settings);
$container->instance(Illuminate\Database\ConnectionInterface::class, $db);
$container->instance(Psr\Log\LoggerInterface::class, $log);
$container->instance(Flarum\Http\SlugManager::class, new Flarum\Http\SlugManager([User::class => new Slugs()]));

$asked = [];
foreach (require __DIR__.'/../laurel/extend.php' as $extender) {
    array_push($asked, ...$extender->asked);
}
$find = fn (string $what) => array_values(array_filter($asked, fn ($a) => $a[0] === $what));
foreach ($find('subscribe') as [, $class]) {
    $container->make($class)->subscribe($events);
}

$migration = require __DIR__.'/../laurel/migrations/2026_11_23_000000_create_laurel_queue_table.php';
if ($new) {
    $db->unprepared('
        CREATE TABLE users (id INTEGER PRIMARY KEY AUTOINCREMENT, username TEXT, nickname TEXT, avatar_url TEXT);
        CREATE TABLE discussions (id INTEGER PRIMARY KEY AUTOINCREMENT, title TEXT, user_id INT, first_post_id INT,
            comment_count INT DEFAULT 0, is_private INT DEFAULT 0, created_at TEXT, hidden_at TEXT);
        CREATE TABLE posts (id INTEGER PRIMARY KEY AUTOINCREMENT, discussion_id INT, number INT, user_id INT, type TEXT,
            is_private INT DEFAULT 0, created_at TEXT, hidden_at TEXT);
        CREATE TABLE post_likes (post_id INT, user_id INT, created_at TEXT, PRIMARY KEY (post_id, user_id));
        CREATE TABLE tags (id INTEGER PRIMARY KEY, slug TEXT, is_restricted INT DEFAULT 0);
        CREATE TABLE discussion_tag (discussion_id INT, tag_id INT);
        CREATE TABLE groups (id INTEGER PRIMARY KEY, name_singular TEXT, name_plural TEXT);
        CREATE TABLE group_user (user_id INT, group_id INT, PRIMARY KEY (user_id, group_id));
        INSERT INTO groups VALUES (1, "Admin", "Admins"), (3, "Member", "Members"), (4, "Mod", "Mods"), (5, "Red = house", "Reds");
        CREATE TABLE group_permission (group_id INT, permission TEXT);
        INSERT INTO group_permission VALUES (2, "viewForum");
        INSERT INTO tags VALUES (1, "garden", 0), (2, "staff", 1)');
    $migration['up']($db->getSchemaBuilder());
}

$fire = fn (object $event) => $events->dispatch($event);
$user = fn (int $id): User => User::findOrFail($id);
$post = fn (int $id): CommentPost => CommentPost::findOrFail($id);
$discussion = fn (int $id): Discussion => Discussion::findOrFail($id);
$count = fn (Discussion $d) => $d->update(['comment_count' => $d->comments()->count()]);
$write = function (Discussion $d, int $author, ?array $with) use ($fire, $count, $user) {
    $post = new CommentPost(['discussion_id' => $d->id, 'user_id' => $author, 'type' => 'comment', 'created_at' => gmdate('Y-m-d H:i:s', $with['at'] ?? time()),
        'number' => 1 + (int) $d->posts()->max('number'), 'is_private' => $with['unapproved'] ?? false]);
    $post->save();
    $count($post->discussion); // Flarum's own listeners are first
    if ($post->number === 1 && ($with['unapproved'] ?? false)) {
        $post->discussion->update(['is_private' => true]);
    }
    $fire(new Posts\Posted($post, $user($author)));

    return $post;
};
$members = [
    'user' => fn (string $name) => User::create(['username' => $name])->id,
    'start' => function (int $author, string $title, ?array $with = []) use ($fire, $write, $user) {
        $with ??= [];
        $d = Discussion::create(['title' => $title, 'user_id' => $author, 'created_at' => gmdate('Y-m-d H:i:s', $with['at'] ?? time()), 'is_private' => $with['private'] ?? false]);
        $d->tags()->sync($with['tags'] ?? []);
        $post = $write($d, $author, $with);
        $d->setRawAttributes($post->discussion->getAttributes(), true);
        $d->fill(['first_post_id' => $post->id, 'created_at' => $post->created_at]); // setFirstPost()
        $fire(new Discussions\Started($d, $user($author)));
        $d->save(); // Flarum 2 saves it before, Flarum 1 after its events

        return [$d->id, $post->id];
    },
    'reply' => fn (int $author, int $id, ?array $with = []) => $write($discussion($id), $author, $with)->id,
    'approve' => function (int $id, int $by) use ($post, $fire, $user, $count) {
        $p = $post($id);
        $p->update(['is_private' => false]);
        $p->number === 1 && $p->discussion->update(['is_private' => false]); // Approval's own listener is first
        $count($p->discussion);
        $fire(new Flarum\Approval\Event\PostWasApproved($p, $user($by)));
    },
    'hide_post' => function (int $id) use ($post, $fire, $count) {
        $p = $post($id);
        $p->update(['hidden_at' => gmdate('Y-m-d H:i:s')]);
        $count($p->discussion);
        $fire(new Posts\Hidden($p));
    },
    'restore_post' => function (int $id) use ($post, $fire, $count) {
        $p = $post($id);
        $p->update(['hidden_at' => null]);
        $count($p->discussion);
        $fire(new Posts\Restored($p));
    },
    'delete_post' => function (int $id, int $by) use ($post, $fire, $count, $db, $user) {
        $p = $post($id);
        $fire(new Posts\Deleting($p, $user($by), []));
        $p->delete();
        $db->table('discussions')->where('first_post_id', $id)->update(['first_post_id' => null]);
        $d = $p->discussion;
        $d->posts()->count() ? $count($d) : $d->delete(); // silently, as DiscussionMetadataUpdater does
        $db->table('post_likes')->where('post_id', $id)->delete(); // the listener of Likes is first
        $fire(new Posts\Deleted($p));
    },
    'hide' => function (int $id) use ($discussion, $fire) {
        ($d = $discussion($id))->update(['hidden_at' => gmdate('Y-m-d H:i:s')]);
        $fire(new Discussions\Hidden($d));
    },
    'restore' => function (int $id) use ($discussion, $fire) {
        ($d = $discussion($id))->update(['hidden_at' => null]);
        $fire(new Discussions\Restored($d));
    },
    'delete' => function (int $id, int $by) use ($discussion, $fire, $user, $db) {
        $d = $discussion($id);
        $fire(new Discussions\Deleting($d, $user($by), []));
        $db->table('post_likes')->whereIn('post_id', $d->posts()->pluck('id'))->delete();
        $d->delete();
        $d->posts()->delete();
        $fire(new Discussions\Deleted($d));
    },
    'rename' => function (int $id, string $title) use ($discussion, $fire) {
        ($d = $discussion($id))->update(['title' => $title]);
        $fire(new Discussions\Renamed($d, 'old'));
    },
    'tag' => function (int $id, array $tags, int $by) use ($discussion, $fire, $user) {
        $old = ($d = $discussion($id))->tags()->get()->all();
        $d->tags()->sync($tags);
        $fire(new Flarum\Tags\Event\DiscussionWasTagged($d, $user($by), $old));
    },
    'like' => function (int $who, int $id) use ($post, $fire, $user, $db) {
        $db->table('post_likes')->insert(['post_id' => $id, 'user_id' => $who, 'created_at' => gmdate('Y-m-d H:i:s')]);
        $fire(new Flarum\Likes\Event\PostWasLiked($post($id), $user($who)));
    },
    'unlike' => function (int $who, int $id) use ($post, $fire, $user, $db) {
        $db->table('post_likes')->where(['post_id' => $id, 'user_id' => $who])->delete();
        $fire(new Flarum\Likes\Event\PostWasUnliked($post($id), $user($who)));
    },
    'rename_user' => function (int $id, string $name) use ($fire, $user) {
        ($u = $user($id))->update(['username' => $name]);
        $fire(new Users\Renamed($u, 'old'));
    },
    'map' => fn (string $lines) => $settings->set('laurel.groups', $lines),
    'regroup' => function (int $id, array $groups) use ($fire, $user) { // the names of all of the member's groups
        $old = ($u = $user($id))->groups()->get()->all();
        $u->groups()->sync(Flarum\Group\Group::query()->whereIn('name_plural', $groups)->pluck('id')->all());
        $fire(new Users\GroupsChanged($u, $old));
    },
    'avatar' => function (int $id, ?string $url) use ($fire, $user) {
        ($u = $user($id))->update(['avatar_url' => $url]);
        $fire(new Users\AvatarChanged($u));
    },
    'delete_user' => function (int $id) use ($fire, $user, $db) {
        ($u = $user($id))->delete();
        foreach (['posts', 'discussions'] as $table) {
            $db->table($table)->where('user_id', $id)->update(['user_id' => null]);
        }
        $db->table('post_likes')->where('user_id', $id)->delete();
        $fire(new Users\Deleted($u));
    },
    'close' => function (bool $closed) use ($db) {
        User::$open = ! $closed;
        $db->table('group_permission')->delete();
        $closed || $db->table('group_permission')->insert(['group_id' => 2, 'permission' => 'viewForum']);
    },
];
$members += [
    'sql' => fn (string $sql) => $db->select($sql),
    'do' => fn (string $sql) => $db->affectingStatement($sql),
    'set' => fn (string $name, string $value) => $settings->set($name, $value),
    'send' => function (array $options = []) use ($container, $find, $log) {
        $command = $container->make($find('command')[0][1]);
        $command->run(new Symfony\Component\Console\Input\ArrayInput($options), new Symfony\Component\Console\Output\NullOutput());

        return $log->lines;
    },
    'standing' => fn () => array_map(fn ($row) => ['at' => strtotime($row['at']), 'user' => (int) $row['user']] + $row, array_merge(...array_values($container->make(Laurel\Flarum\Comparison::class)->standing()))),
    'token' => function (?int $id) use ($container, $find, $user) {
        $request = new class($id ? $user($id) : new Guest()) {
            public function __construct(public User $actor) {}
        };
        $answer = $container->make($find('get')[0][4])->handle(new Request($request->actor));

        return ['status' => $answer->status, 'body' => $answer->data, 'headers' => $answer->headers];
    },
    'page' => function (?array $post) use ($container, $find) { // the texts of an administrator's page
        $admin = new class extends User {
            public function assertAdmin() {}
        };
        try {
            $container->make(Laurel\Flarum\Pair::class)->handle(new Request(new Guest(), $post));
            throw new LogicException('anybody may pair');
        } catch (DomainException) {
        }
        $route = array_values(array_filter($find($post === null ? 'get' : 'post'), fn ($a) => $a[2] === '/laurel/pair'))[0];
        $is = $container->make($route[4])->handle(new Request($admin, $post))->data;
        $texts = Symfony\Component\Yaml\Yaml::parseFile(__DIR__.'/../laurel/locale/en.yml')['laurel-leaderboards']['admin'];
        $how = $is['paired'] ? ($is['last'] ? "last report $is[last] s ago" : $texts['no_report']).", $is[waiting] waiting" : $texts['unpaired'];

        $text = fn (string $key, array $with = []) => strtr($texts[$key], array_combine(array_map(fn ($k) => '{'.$k.'}', array_keys($with)), $with));
        ['at' => $at] = $c = $is['compared'] + ['wrong' => '', 'number' => 0, 'actions' => ['like'], 'differ' => []];
        $time = ['time' => gmdate('H:i', $at)];
        $lines = [$c['wrong'] ? $text('compare_failed', $time)." {$texts[$c['wrong']]}"
            : $text($at ? ($c['number'] ? 'differ' : 'equal') : 'not_compared', $time + ['count' => $c['number']])];
        in_array('like', $c['actions']) || $lines[] = $texts['no_likes'];
        foreach ($c['differ'] as $m) {
            $lines[] = $text('member', ['name' => $m['name'] ?? $m['user'], 'should' => $m['should'], 'has' => $m['has']]);
            foreach ($m['differences'] as $d) {
                $lines[] = "» ".implode(' ', array_filter([$d['action'] ?? '', $d['target'] ?? '', $d['ref'] ?? '', $d['forum'] ?? ''])).': '.$texts[$d['kind']];
            }
        }

        return ($is['wrong'] ? $texts[$is['wrong']] : $how.($is['trouble'] ? ". {$texts[$is['trouble']]}" : '')).' '.implode("\n", $lines);
    },
    'asked' => function () use ($asked, $find) {
        $find('schedule')[0][2]($event = new Illuminate\Console\Scheduling\Event());

        return ['schedule' => $event->asked, 'route' => array_slice($find('get')[0], 1, 2),
            'forum' => array_column($find('forum'), 2), 'js' => array_map(fn ($a) => [$a[1], file_exists($a[2])], $find('js'))];
    },
    'visibility' => function (?int $id, ?array $given = null) use ($container, $find, $user) { // by the member, or a guest
        $route = array_values(array_filter($find($given === null ? 'get' : 'post'), fn ($a) => $a[2] === '/laurel/visibility'))[0];

        return $container->make($route[4])->handle(new Request($id ? $user($id) : new Guest(), $given))->data;
    },
    'elements' => function (?array $given = null) use ($container, $settings) {
        $admin = new class extends User {
            public function assertAdmin() {}
        };

        return $container->make(Laurel\Flarum\Elements::class)->handle(new Request($admin, $given))->data + ['kept' => $settings->get('laurel.elements')];
    },
    'down' => function () use ($migration, $db) { $migration['down']($db->getSchemaBuilder()); },
    'log' => fn () => $log->lines,
];
final class Request implements Psr\Http\Message\ServerRequestInterface
{
    public function __construct(private User $actor, private ?array $body = null) {}
    public function getAttribute($name, $default = null) { return $this->actor; }
    public function getProtocolVersion() { return '1.1'; }
    public function withProtocolVersion($version) { return $this; }
    public function getHeaders() { return []; }
    public function hasHeader($name) { return false; }
    public function getHeader($name) { return []; }
    public function getHeaderLine($name) { return ''; }
    public function withHeader($name, $value) { return $this; }
    public function withAddedHeader($name, $value) { return $this; }
    public function withoutHeader($name) { return $this; }
    public function getBody() { throw new LogicException(); }
    public function withBody(Psr\Http\Message\StreamInterface $body) { return $this; }
    public function getRequestTarget() { return '/'; }
    public function withRequestTarget($requestTarget) { return $this; }
    public function getMethod() { return $this->body === null ? 'GET' : 'POST'; }
    public function withMethod($method) { return $this; }
    public function getUri() { throw new LogicException(); }
    public function withUri(Psr\Http\Message\UriInterface $uri, $preserveHost = false) { return $this; }
    public function getServerParams() { return []; }
    public function getCookieParams() { return []; }
    public function withCookieParams(array $cookies) { return $this; }
    public function getQueryParams() { return []; }
    public function withQueryParams(array $query) { return $this; }
    public function getUploadedFiles() { return []; }
    public function withUploadedFiles(array $uploadedFiles) { return $this; }
    public function getParsedBody() { return $this->body; }
    public function withParsedBody($data) { return $this; }
    public function getAttributes() { return []; }
    public function withAttribute($name, $value) { return $this; }
    public function withoutAttribute($name) { return $this; }
}
if (getenv('FPM')) { // as PHP-FPM: the member has the page, the process continues
    function fastcgi_finish_request(): bool { echo json_encode('the page is done')."\n"; return true; }
}
while (($line = fgets(STDIN)) !== false) {
    $call = json_decode($line, true, 512, JSON_THROW_ON_ERROR);
    $what = array_shift($call);
    usleep(1000); // members are never that fast
    echo json_encode($members[$what](...$call), JSON_THROW_ON_ERROR)."\n";
}
