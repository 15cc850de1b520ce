<?php

namespace Laurel\Flarum;

use DateTimeImmutable;
use DateTimeInterface;
use Flarum\Approval\Event\PostWasApproved;
use Flarum\Discussion\Discussion;
use Flarum\Discussion\Event as Discussions;
use Flarum\Http\SlugManager;
use Flarum\Http\UrlGenerator;
use Flarum\Likes\Event\PostWasLiked;
use Flarum\Likes\Event\PostWasUnliked;
use Flarum\Post\Event as Posts;
use Flarum\Post\Post;
use Flarum\Tags\Event\DiscussionWasTagged;
use Flarum\User\Event as Users;
use Flarum\User\Guest;
use Flarum\User\User;
use Illuminate\Contracts\Events\Dispatcher;
use Illuminate\Database\Connection;
use Psr\Log\LoggerInterface;
use Throwable;

/**
 * Reports members' acts. Those that a guest can see count, as Flarum itself tells: neither private, hidden and
 * unapproved posts nor those of restricted tags. Each report says how it is now, with a moment of its own, so
 * deliveries may be repeated and overtake each other.
 */
class Report
{
    /** @var array<int, int[]> posts with likes, of discussions that are being deleted */
    private array $liked = [];

    public function __construct(
        private Queue $queue,
        private UrlGenerator $url,
        private SlugManager $slugs,
        private LoggerInterface $log,
        private Groups $groups
    ) {
    }

    public function subscribe(Dispatcher $events): void
    {
        $listen = function (string $event, callable $report) use ($events) {
            $events->listen($event, function (object $event) use ($report) {
                try {
                    $report($event);
                } catch (Throwable $e) { // no member gets an error because of a board
                    $this->log->error("Laurel: $e");
                }
            });
        };
        $changed = fn (object $event) => $this->discussion($event->discussion);
        $moved = fn (object $event) => $this->discussion($event->discussion, true);
        $listen(Discussions\Started::class, $changed);
        $listen(Discussions\Renamed::class, $changed);
        $listen(DiscussionWasTagged::class, fn (DiscussionWasTagged $event) => $this->discussion($event->discussion,
            $event->discussion->tags->concat($event->oldTags)->contains('is_restricted', true)));
        $listen(Discussions\Hidden::class, $moved);
        $listen(Discussions\Restored::class, $moved);
        $listen(Discussions\Deleting::class, fn (Discussions\Deleting $event) => $this->remember($event->discussion->id));
        $listen(Discussions\Deleted::class, fn (Discussions\Deleted $event) => $this->purged($event->discussion->id));

        $listen(Posts\Posted::class, fn (Posts\Posted $event) => $this->post($event->post, 'posted'));
        $listen(PostWasApproved::class, fn (PostWasApproved $event) => $this->post($event->post, 'approved'));
        $listen(Posts\Hidden::class, fn (Posts\Hidden $event) => $this->post($event->post));
        $listen(Posts\Restored::class, fn (Posts\Restored $event) => $this->post($event->post));
        $listen(Posts\Deleting::class, fn (Posts\Deleting $event) => $this->likesOf([$event->post->id], false));
        $listen(Posts\Deleted::class, fn (Posts\Deleted $event) => $this->deleted($event->post));

        $listen(PostWasLiked::class, fn (PostWasLiked $event) => $this->like($event->post, $event->user, 'like'));
        $listen(PostWasUnliked::class, fn (PostWasUnliked $event) => $this->like($event->post, $event->user, 'unlike'));

        $profile = fn (object $event) => $this->queue->add(['users' => $this->profiles([$event->user])]);
        $listen(Users\Renamed::class, $profile);
        $listen(Users\AvatarChanged::class, $profile);
        $listen(Users\GroupsChanged::class, fn (Users\GroupsChanged $event) => $this->groups->mapped() && $profile($event));
        $listen(Users\Deleted::class, fn (Users\Deleted $event) => $this->queue->add(['deletedUsers' => [(string) $event->user->id]]));
    }

    /** Reports a discussion as an article, and its replies if they are shown or hidden with it. */
    private function discussion(Discussion $given, bool $replies = false, string $why = ''): void
    {
        $discussion = $given->fresh(); // without relations that were loaded before
        if (! $discussion) {
            return;
        }
        // Flarum 1 saves which one is the first post after it says that the discussion is started.
        $first = $discussion->posts()->where('number', 1)->first();
        $on = $this->counts($first);
        $open = $on && (new Guest())->can('viewForum');
        $this->queue->add([
            'articles' => [[
                'id' => "t$discussion->id",
                'title' => ($open ? $this->text($discussion->title, 300) : '') ?: "t$discussion->id", // else it is nobody's business
                'author' => ['id' => (string) (int) $discussion->user_id],
                // An older one, or one of a deleted member, is changed, but not published.
                'publishedAt' => $discussion->user_id ? $this->made($first->created_at ?? $discussion->created_at, $why) ?? '2000-01-01T00:00:00Z' : '2000-01-01T00:00:00Z',
                'listed' => $open,
                'changedAt' => $this->moment(),
            ] + ($open ? [
                'link' => $this->url->to('forum')->route('discussion', ['id' => $discussion->id]),
                'groups' => $this->groups($discussion),
            ] : [])],
            // In a forum for members alone it counts without being an article that is listed.
            'activities' => $open ? [] : $this->published($discussion, $first, $on, $why),
            'users' => $on ? $this->profiles([$discussion->user]) : [],
        ]);
        if ($replies) {
            $discussion->comments()->chunkById(100, function ($posts) {
                $on = $this->counts($posts->first());
                $this->replies($posts->where('number', '>', 1), $on);
                $this->likesOf($posts->modelKeys(), $on);
            });
        }
    }

    /** Returns whether a discussion counts that is no article in a list: later than the undos by the article. */
    private function published(Discussion $discussion, ?Post $first, bool $on, string $why): array
    {
        if (! $discussion->user_id || (new Guest())->can('viewForum')) {
            return [];
        }
        $entry = ['user' => (string) $discussion->user_id, 'target' => "t$discussion->id", 'action' => $on ? 'publish' : 'unpublish'];
        if (! $on) {
            return [$entry + ['at' => $this->moment()]];
        }
        $made = $this->made($first->created_at ?? $discussion->created_at, $why);

        return [...($made ? [$entry + ['at' => $made]] : []), $entry + ['restores' => true, 'at' => $this->moment()]];
    }

    /** Reports that a post counts, or not any more. */
    private function post(Post $post, string $why = ''): void
    {
        $on = $this->counts($post);
        if ($post->number > 1) {
            $on || ! $why ? $this->replies([$post], $on, $why) : null;
        } elseif ($why !== 'posted') { // else its discussion is being started
            $this->discussion($post->discussion, false, $why);
        }
        if ($why !== 'posted') {
            $this->likesOf([$post->id], $on);
        }
    }

    /** Reports that the likes of posts count, or not any more; some were not reported, as of restricted tags. */
    private function likesOf(array $posts, bool $on): void
    {
        $likes = $this->likes(fn ($likes) => $likes->whereIn('posts.id', $posts)
            ->select(['posts.id', 'posts.number', 'posts.discussion_id', 'posts.user_id AS author', 'post_likes.user_id'])
            ->selectRaw($this->seconds($likes->getConnection()).' AS at')->get()->all());
        foreach (array_chunk($likes, 100) as $some) {
            $acts = [];
            foreach ($some as $like) {
                $target = $like->number > 1 ? "p$like->id" : "t$like->discussion_id";
                $entry = ['user' => (string) $like->user_id, 'target' => $target] + $this->other($like->author);
                if ($on && $made = $this->made(new DateTimeImmutable("@$like->at"), '')) {
                    $acts[] = $entry + ['action' => 'like', 'at' => $made];
                }
                $acts[] = $entry + ($on ? ['action' => 'like', 'restores' => true] : ['action' => 'unlike']) + ['at' => $this->moment()];
            }
            $users = $on ? User::query()->findMany(array_column($some, 'user_id')) : [];
            $this->queue->add(['activities' => $acts, 'users' => $this->profiles([...$users])]);
        }
    }

    /** Returns the author of a liked post, by whom Laurel knows votes for oneself and void pairs; none of a deleted member. */
    private function other(?int $author): array
    {
        return $author ? ['other' => (string) $author] : [];
    }

    /** Returns when a like was given, in SQL: it is a TIMESTAMP, which MySQL gives in the session's zone. */
    private function seconds(Connection $db): string
    {
        $form = ['sqlite' => "strftime('%%s', %s)", 'pgsql' => 'CAST(extract(epoch FROM %s) AS bigint)'];

        return sprintf($form[$db->getDriverName()] ?? 'UNIX_TIMESTAMP(%s)', $db->getTablePrefix().'post_likes.created_at');
    }

    /** @param iterable<Post> $posts */
    private function replies(iterable $posts, bool $on, string $why = ''): void
    {
        $acts = $users = [];
        foreach ($posts as $post) {
            if (! $post->user_id) {
                continue;
            }
            $users[] = $on ? $post->user : null;
            $entry = ['user' => (string) $post->user_id, 'target' => "t$post->discussion_id", 'ref' => "p$post->id"];
            if ($on && $made = $this->made($post->created_at, $why)) {
                $acts[] = $entry + ['action' => 'comment', 'at' => $made];
            }
            if (! $on || $why !== 'posted') { // an activity that was undone before is restored where it was
                // Another extension may have moved it silently: it is taken back wherever it was.
                $acts[] = ($on ? $entry + ['action' => 'comment', 'restores' => true] : array_diff_key($entry, ['target' => 0]) + ['action' => 'uncomment'])
                    + ['at' => $this->moment()];
            }
        }
        $this->queue->add(['activities' => $acts, 'users' => $this->profiles($users)]);
    }

    /** Reports that a post was deleted for good; its likes were taken back before. */
    private function deleted(Post $post): void
    {
        if ($post->type !== 'comment') {
            return;
        }
        if ($post->number > 1) {
            $this->replies([$post], false);
        }
        if (! $post->discussion->exists) { // it was the last one: Flarum deletes the discussion without an event
            $this->purged($post->discussion_id);
        } elseif ($post->number === 1) {
            $this->discussion($post->discussion);
        }
    }

    /** Remembers the posts of a discussion that is being deleted: they go without events. */
    private function remember(int $id): void
    {
        $this->liked[$id] = $this->likes(fn ($likes) => $likes->where('posts.discussion_id', $id)->where('posts.number', '>', 1)
            ->distinct()->pluck('posts.id')->all());
    }

    private function likes(callable $read): array
    {
        $db = Post::resolveConnection();

        return ! $db->getSchemaBuilder()->hasTable('post_likes') ? []
            : $read($db->table('posts')->join('post_likes', 'post_likes.post_id', '=', 'posts.id'));
    }

    /** Reports that a discussion was deleted for good: activities on it, or in it, are void. */
    private function purged(int $id): void
    {
        $targets = array_merge(["t$id"], array_map(fn ($post) => "p$post", $this->liked[$id] ?? []));
        unset($this->liked[$id]);
        foreach (array_chunk($targets, 100) as $some) {
            $this->queue->add(['voids' => array_map(fn ($target) => compact('target'), $some)]);
        }
        $this->queue->add(['deletedArticles' => ["t$id"]]);
    }

    private function like(Post $post, User $user, string $action): void
    {
        if ($action === 'unlike' || $this->counts($post)) {
            $target = $post->number > 1 ? "p$post->id" : "t$post->discussion_id"; // of the first post: a vote
            $like = ['user' => (string) $user->id, 'target' => $target, 'action' => $action, 'at' => $this->moment()];
            $this->queue->add([
                'activities' => [$like + $this->other($post->user_id)],
                'users' => $this->profiles([$user]),
            ]);
        }
    }

    /** Says whether everybody can read a post; in a forum for members alone, whether all of them can. */
    private function counts(?Post $post): bool
    {
        $guest = new Guest();
        if (! $post || $guest->can('viewForum')) {
            return $post && $post->isVisibleTo($guest);
        }
        $discussion = $post->discussion;

        return ! ($post->hidden_at || $post->is_private || $discussion->hidden_at || $discussion->is_private);
    }

    /** Returns a moment with milliseconds; no two of a process are the same. */
    private function moment(): string
    {
        static $last = 0;
        $last = max((int) (1000 * microtime(true)), $last + 1);

        return gmdate('Y-m-d\TH:i:s', intdiv($last, 1000)).sprintf('.%03dZ', $last % 1000);
    }

    /** Returns when something was made, if Laurel takes it; else now, if it was approved and counts from now on. */
    private function made(?DateTimeInterface $at, string $why): ?string
    {
        $seconds = $at ? min($at->getTimestamp(), time()) : 0;
        if ($seconds > time() - Queue::LATEST + 3600) {
            return gmdate('Y-m-d\TH:i:s\Z', $seconds);
        }

        return $why === 'approved' ? $this->moment() : null;
    }

    /** Returns a text on one line, without characters that no text has, such as overrides of direction; '' if nothing in it shows. */
    private function text(string $text, int $most): string
    {
        $shown = mb_scrub($text, 'UTF-8');
        $shown = preg_replace('/[\t-\r\x{85}\x{2028}\x{2029}]+/u', ' ', $shown);
        $shown = preg_replace('/[\p{Cc}\x{202A}-\x{202E}\x{2066}-\x{2069}\x{FDD0}-\x{FDEF}]/u', '', $shown);
        $shown = preg_replace_callback('/[^\x{0}-\x{FFFD}]/u', fn ($m) => (mb_ord($m[0], 'UTF-8') & 0xFFFE) === 0xFFFE ? '' : $m[0], $shown);
        $shown = mb_substr(preg_replace('/^[\s\x{A0}]+/u', '', $shown), 0, $most, 'UTF-8');
        $shown = preg_replace('/[\s\x{A0}]+$/u', '', $shown);

        return preg_match('/[^\p{Z}\p{Cc}\p{Cf}\p{Cn}\p{M}\x{115F}\x{1160}\x{2800}\x{3164}\x{FFA0}]/u', $shown) ? $shown : '';
    }

    /** @return string[] slugs of the tags, where there are tags */
    private function groups(Discussion $discussion): array
    {
        $slugs = $discussion->tags ? $discussion->tags->pluck('slug')->all() : [];

        return array_slice(array_values(array_unique(preg_grep('/^.{1,64}$/', $slugs))), 0, 20);
    }

    /**
     * @param array<?User> $users
     * @return array<array<string, string|string[]>>
     */
    private function profiles(array $users): array
    {
        $all = [];
        foreach (array_filter($users) as $user) {
            $slug = $this->slugs->forResource(User::class)->toSlug($user);
            $all[$user->id] = [
                'id' => (string) $user->id,
                'name' => $this->text($user->display_name, 100) ?: (string) $user->id,
                'link' => $this->url->to('forum')->route('user', ['username' => $slug]),
            ] + (preg_match('~^https?://~', (string) $user->avatar_url) ? ['avatar' => $user->avatar_url] : []) + $this->groups->of($user);
        }

        return array_values($all);
    }
}
