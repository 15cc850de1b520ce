package redisstore

import (
	"context"
	"errors"
	"slices"
	"strconv"
	"strings"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
)

// Parts are parts of Redis that can be lost on their own.
type Parts struct {
	Shards   []int `json:"shards"`
	Articles bool  `json:"articles"`
}

// None says whether there are none.
func (p Parts) None() bool { return len(p.Shards) == 0 && !p.Articles }

// HasShard says whether a shard is among the parts.
func (p Parts) HasShard(shard int) bool { return slices.Contains(p.Shards, shard) }

// Parts returns all parts of the store.
func (s *Store) Parts() Parts { return Parts{Shards: s.allShards(), Articles: true} }

// Lacking returns the parts that do not have a stamp.
func (s *Store) Lacking(ctx context.Context, stamp Stamp) (lacking Parts, err error) {
	lines, marks, err := s.readStamps(ctx)
	if err != nil {
		return lacking, err
	}
	for shard := range s.shards {
		if lines[shard] != stamp.line() || !stamp.marked(marks[shard]) {
			lacking.Shards = append(lacking.Shards, shard)
		}
	}
	lacking.Articles = !stamp.marked(marks[s.shards])
	return lacking, nil
}

// SetClosed changes the closed-period set that is kept, and then that of every shard.
func (s *Store) SetClosed(ctx context.Context, change func(*board.Closed) *board.Closed) error {
	return s.changeClosed(ctx, change)
}

// Filled returns the last user whose rows an interrupted rebuild has merged into parts, as
// SetFilled has set it in all of them: the first by id where they differ, "" for none.
func (s *Store) Filled(ctx context.Context, parts Parts) (user string, err error) {
	keys := filledKeys(parts)
	pipe := s.client.Pipeline()
	found := make([]*redis.StringCmd, len(keys))
	for i, key := range keys {
		found[i] = pipe.Get(ctx, key)
	}
	if _, err := pipe.Exec(ctx); err != nil && !errors.Is(err, redis.Nil) {
		return "", Unavailable("read how far Redis is filled", err)
	}
	for i, cmd := range found {
		if i == 0 || cmd.Val() < user {
			user = cmd.Val()
		}
	}
	return user, nil
}

// SetFilled sets the last user whose rows are merged into parts; "" removes what is set.
func (s *Store) SetFilled(ctx context.Context, parts Parts, user string) error {
	keys := filledKeys(parts)
	writes := make([]*Write, len(keys))
	for i, key := range keys {
		if writes[i] = (&Write{}); user == "" {
			writes[i].Unlink(key)
		} else {
			writes[i].Set(key, user)
		}
	}
	s.Apply(ctx, writes...)
	_, err := Applied("set how far Redis is filled", writes...)
	return err
}

func filledKeys(parts Parts) (keys []string) {
	for _, shard := range parts.Shards {
		keys = append(keys, filledKey(shard))
	}
	if parts.Articles {
		keys = append(keys, filledArticlesKey)
	}
	return keys
}

// scanLen is about how many keys a step of a scan looks at.
const scanLen = 1_000

// EachKey calls do with the keys of the store, some at a time and some perhaps twice; in a
// cluster those of several nodes at once.
func (s *Store) EachKey(ctx context.Context, do func(keys []string) error) error {
	scan := func(ctx context.Context, node redis.Cmdable) error {
		for cursor := uint64(0); ; {
			keys, next, err := node.Scan(ctx, cursor, KeyPrefix+"*", scanLen).Result()
			if err != nil {
				return Unavailable("list keys", err)
			}
			if err := do(keys); err != nil || next == 0 {
				return err
			}
			cursor = next
		}
	}
	if cluster, ok := s.client.(*redis.ClusterClient); ok {
		return cluster.ForEachMaster(ctx, func(ctx context.Context, node *redis.Client) error { return scan(ctx, node) })
	}
	return scan(ctx, s.client)
}

// MaxShards is the largest number of shards.
const MaxShards = 64

// RemoveAll removes everything that is in the store, in any number of shards. The stamps
// go first: until a process knows better, it would read what is left of a board, and
// commit what stays.
func (s *Store) RemoveAll(ctx context.Context) error {
	stamped := s.client.Pipeline()
	stamped.Unlink(ctx, ArticlesKey)
	for shard := range MaxShards {
		stamped.Unlink(ctx, ClosedKey(shard))
		stamped.Unlink(ctx, ProfilesKey(shard))
	}
	if _, err := stamped.Exec(ctx); err != nil {
		return Unavailable("remove the stamps", err)
	}
	return s.removeKeys(ctx, KeyPrefix)
}

// RemoveArticles removes everything of the articles, their mark first: until they are
// filled again, requests are refused.
func (s *Store) RemoveArticles(ctx context.Context) error {
	if err := s.client.Unlink(ctx, ArticlesKey).Err(); err != nil {
		return Unavailable("remove the stamp", err)
	}
	return s.removeKeys(ctx, KeyPrefix+"articles}:")
}

// removeKeys removes the keys with a prefix.
func (s *Store) removeKeys(ctx context.Context, prefix string) error {
	return s.EachKey(ctx, func(keys []string) error {
		pipe := s.client.Pipeline()
		for _, key := range keys {
			if strings.HasPrefix(key, prefix) {
				pipe.Unlink(ctx, key)
			}
		}
		if pipe.Len() == 0 {
			return nil
		}
		if _, err := pipe.Exec(ctx); err != nil {
			return Unavailable("remove keys", err)
		}
		return nil
	})
}

// Strange says whether a key cannot be of this store: it is of a user of another shard, or
// of a shard that there is not.
func (s *Store) Strange(key string) bool {
	tag, rest, _ := strings.Cut(strings.TrimPrefix(key, KeyPrefix), "}:")
	shard, err := strconv.Atoi(tag)
	if err != nil {
		return false
	}
	kind, user, _ := strings.Cut(rest, ":")
	return shard >= s.shards || ((kind == "pages" || kind == "friends") && s.ShardOf(user) != shard)
}
