<?php

/**
 * Flarum's classes as far as the extension meets them, with the signatures of Flarum 2, over Debian's
 * Illuminate 8, which Flarum 1.8 has. Written for tests: nothing of it is Flarum's.
 */

namespace Psr\Http\Server {
    interface RequestHandlerInterface
    {
        public function handle(\Psr\Http\Message\ServerRequestInterface $request): \Psr\Http\Message\ResponseInterface;
    }
}

namespace Laminas\Diactoros\Response {
    /** Not a whole response: the test reads its arguments. */
    abstract class Made implements \Psr\Http\Message\ResponseInterface
    {
        public function __construct(public mixed $data, public int $status = 200, public array $headers = [])
        {
        }
    }
    class JsonResponse extends Made
    {
        public function getProtocolVersion() { return '1.1'; }
        public function withProtocolVersion($version) { return $this; }
        public function getHeaders() { return $this->headers; }
        public function hasHeader($name) { return isset($this->headers[$name]); }
        public function getHeader($name) { return (array) ($this->headers[$name] ?? []); }
        public function getHeaderLine($name) { return $this->headers[$name] ?? ''; }
        public function withHeader($name, $value) { return $this; }
        public function withAddedHeader($name, $value) { return $this; }
        public function withoutHeader($name) { return $this; }
        public function getBody() { throw new \LogicException(); }
        public function withBody(\Psr\Http\Message\StreamInterface $body) { return $this; }
        public function getStatusCode() { return $this->status; }
        public function withStatus($code, $reasonPhrase = '') { return $this; }
        public function getReasonPhrase() { return ''; }
    }
}

namespace Illuminate\Console\Scheduling {
    class Event
    {
        public array $asked = [];
        public function everyMinute() { $this->asked[] = __FUNCTION__; return $this; }
        public function withoutOverlapping($expiresAt = 1440) { $this->asked[] = __FUNCTION__; return $this; }
    }
}

namespace Flarum\Database {
    abstract class AbstractModel extends \Illuminate\Database\Eloquent\Model
    {
        public $timestamps = false;
        protected $guarded = [];
    }
    abstract class Migration
    {
        public static function createTable(string $name, callable $definition): array
        {
            return [
                'up' => fn (\Illuminate\Database\Schema\Builder $schema) => $schema->create($name, $definition),
                'down' => fn (\Illuminate\Database\Schema\Builder $schema) => $schema->drop($name),
            ];
        }
    }
}

namespace Flarum\User {
    use Flarum\Database\AbstractModel;

    class User extends AbstractModel
    {
        protected $table = 'users';
        /** Whether guests may see the forum. */
        public static bool $open = true;
        public function getDisplayNameAttribute(): string { return $this->attributes['nickname'] ?? $this->username; }
        public function getAvatarUrlAttribute(?string $value = null): ?string { return $value; }
        public function isGuest(): bool { return false; }
        public function groups() { return $this->belongsToMany(\Flarum\Group\Group::class); }
        public function assertAdmin() { $this->isGuest() && throw new \DomainException('permission denied'); }
        public function can(string $ability, mixed $arguments = null): bool { return true; }
    }
    class Guest extends User
    {
        public int $id = 0;
        public function isGuest(): bool { return true; }
        public function can(string $ability, mixed $arguments = null): bool { return $ability === 'viewForum' && self::$open; }
    }
}

namespace Flarum\Group {
    class Group extends \Flarum\Database\AbstractModel
    {
        protected $table = 'groups';
    }
}

namespace Flarum\Discussion {
    use Flarum\Database\AbstractModel;
    use Flarum\Post\Post;
    use Flarum\User\User;

    class Discussion extends AbstractModel
    {
        protected $table = 'discussions';
        protected $casts = ['is_private' => 'boolean', 'created_at' => 'datetime', 'hidden_at' => 'datetime'];
        public function posts() { return $this->hasMany(Post::class); }
        public function comments()
        {
            return $this->posts()->where('is_private', false)->whereNull('hidden_at')->where('type', 'comment');
        }
        public function firstPost() { return $this->belongsTo(Post::class, 'first_post_id'); }
        public function user() { return $this->belongsTo(User::class, 'user_id'); }
    }
}

namespace Flarum\Post {
    use Flarum\Database\AbstractModel;
    use Flarum\Discussion\Discussion;
    use Flarum\User\User;

    class Post extends AbstractModel
    {
        protected $table = 'posts';
        protected $casts = ['number' => 'integer', 'is_private' => 'boolean', 'created_at' => 'datetime', 'hidden_at' => 'datetime'];
        public function discussion() { return $this->belongsTo(Discussion::class); }
        public function user() { return $this->belongsTo(User::class); }
        public function isVisibleTo(User $user): bool { return (bool) $this->newQuery()->whereVisibleTo($user)->find($this->id); }
        public function scopeWhereVisibleTo(\Illuminate\Database\Eloquent\Builder $query, User $user): \Illuminate\Database\Eloquent\Builder
        {
            return $query->when(! $user->can('viewForum'), fn ($q) => $q->whereRaw('FALSE'))->where('is_private', false)
                ->where(fn ($q) => $q->whereNull('hidden_at')->orWhere('user_id', $user->id))
                ->whereHas('discussion', fn ($q) => $q->where('is_private', false)->where('comment_count', '>', 0)
                    ->where(fn ($q) => $q->whereNull('hidden_at')->orWhere('user_id', $user->id))
                    ->whereDoesntHave('tags', fn ($q) => $q->where('is_restricted', true)));
        }
    }
    class CommentPost extends Post
    {
    }
}

namespace Flarum\Tags {
    class Tag extends \Flarum\Database\AbstractModel
    {
        protected $table = 'tags';
    }
}

namespace Flarum\Discussion\Event {
    use Flarum\Discussion\Discussion;
    use Flarum\User\User;

    class Started { public function __construct(public Discussion $discussion, public ?User $actor = null) {} }
    class Renamed { public function __construct(public Discussion $discussion, public string $oldTitle, public ?User $actor = null) {} }
    class Hidden { public function __construct(public Discussion $discussion, public ?User $actor = null) {} }
    class Restored { public function __construct(public Discussion $discussion, public ?User $actor = null) {} }
    class Deleting { public function __construct(public Discussion $discussion, public User $actor, public array $data = []) {} }
    class Deleted { public function __construct(public Discussion $discussion, public ?User $actor = null) {} }
}

namespace Flarum\Post\Event {
    use Flarum\Post\CommentPost;
    use Flarum\Post\Post;
    use Flarum\User\User;

    class Posted { public function __construct(public CommentPost $post, public ?User $actor = null) {} }
    class Hidden { public function __construct(public CommentPost $post, public ?User $actor = null) {} }
    class Restored { public function __construct(public CommentPost $post, public ?User $actor = null) {} }
    class Deleting { public function __construct(public Post $post, public User $actor, public array $data = []) {} }
    class Deleted { public function __construct(public Post $post, public ?User $actor = null) {} }
}

namespace Flarum\User\Event {
    use Flarum\User\User;

    class Renamed { public function __construct(public User $user, public string $oldUsername, public ?User $actor = null) {} }
    class GroupsChanged { public function __construct(public User $user, public array $oldGroups, public ?User $actor = null) {} }
    class AvatarChanged { public function __construct(public User $user, public ?User $actor = null) {} }
    class Deleted { public function __construct(public User $user, public ?User $actor = null) {} }
}

namespace Flarum\Likes\Event {
    use Flarum\Post\Post;
    use Flarum\User\User;

    class PostWasLiked { public function __construct(public Post $post, public User $user) {} }
    class PostWasUnliked { public function __construct(public Post $post, public User $user) {} }
}

namespace Flarum\Approval\Event {
    class PostWasApproved { public function __construct(public \Flarum\Post\Post $post, public \Flarum\User\User $actor) {} }
}

namespace Flarum\Tags\Event {
    class DiscussionWasTagged
    {
        public function __construct(public \Flarum\Discussion\Discussion $discussion, public \Flarum\User\User $actor, public array $oldTags) {}
    }
}

namespace Flarum\Settings {
    interface SettingsRepositoryInterface
    {
        public function all(): array;
        public function get(string $key, mixed $default = null): mixed;
        public function set(string $key, mixed $value): void;
        public function delete(string $keyLike): void;
    }
}

namespace Flarum\Http {
    use Flarum\Database\AbstractModel;
    use Flarum\User\User;

    class RequestUtil
    {
        public static function getActor(\Psr\Http\Message\ServerRequestInterface $request): User { return $request->getAttribute('actor'); }
    }
    class RouteCollectionUrlGenerator
    {
        public function route(string $name, array $parameters = []): string
        {
            return 'https://forum.example/'.['discussion' => 'd/', 'user' => 'u/'][$name].rawurlencode(implode('/', $parameters));
        }
    }
    class UrlGenerator
    {
        public function to(string $collection): RouteCollectionUrlGenerator { return new RouteCollectionUrlGenerator(); }
    }
    interface SlugDriverInterface
    {
        public function toSlug(AbstractModel $instance): string;
        public function fromSlug(string $slug, User $actor): AbstractModel;
    }
    class SlugManager
    {
        public function __construct(protected array $drivers = []) {}
        public function forResource(string $resourceName): SlugDriverInterface { return $this->drivers[$resourceName]; }
    }
}

namespace Flarum\Console {
    abstract class AbstractCommand extends \Symfony\Component\Console\Command\Command
    {
        protected \Symfony\Component\Console\Input\InputInterface $input;
        protected \Symfony\Component\Console\Output\OutputInterface $output;
        protected function execute(\Symfony\Component\Console\Input\InputInterface $input, \Symfony\Component\Console\Output\OutputInterface $output): int
        {
            $this->input = $input;
            $this->output = $output;

            return $this->fire() ?: 0;
        }
        abstract protected function fire(): int;
    }
}

namespace Flarum\Extend {
    /** Keeps an extension's registrations, in place of applying them. */
    abstract class Asked
    {
        public array $asked = [];
        protected function ask(string $what, mixed ...$of): static { $this->asked[] = [$what, ...$of]; return $this; }
    }
    class Event extends Asked
    {
        public function listen(string $event, callable|string $listener): self { return $this->ask('listen', $event, $listener); }
        public function subscribe(string $subscriber): self { return $this->ask('subscribe', $subscriber); }
    }
    class Console extends Asked
    {
        public function command(string $command): self { return $this->ask('command', $command); }
        public function schedule(string $command, callable|string $callback, array $args = []): self { return $this->ask('schedule', $command, $callback, $args); }
    }
    class Routes extends Asked
    {
        public function __construct(private readonly string $appName) {}
        public function get(string $path, string $name, callable|string $handler): self { return $this->ask('get', $this->appName, $path, $name, $handler); }
        public function post(string $path, string $name, callable|string $handler): self { return $this->ask('post', $this->appName, $path, $name, $handler); }
    }
    class Settings extends Asked
    {
        public function serializeToForum(string $attributeName, string $key, callable|string $callback = null): self { return $this->ask('forum', $attributeName, $key); }
        public function default(string $key, mixed $value): self { return $this->ask('default', $key, $value); }
    }
    class Locales extends Asked
    {
        public function __construct(private readonly string $directory) {}
    }
    class Frontend extends Asked
    {
        public function __construct(private readonly string $frontend) {}
        public function js(string $path): self { return $this->ask('js', $this->frontend, $path); }
    }
}
