package redisstore

import (
	"context"
	"errors"

	"github.com/redis/go-redis/v9"
)

// PutRun puts the mark of a nightly run into every shard, in place of another one's. A failover
// that loses what was written before the mark was put loses the mark.
func (s *Store) PutRun(ctx context.Context, mark string) error {
	return s.eachRun(ctx, func(w *Write, key string) { w.Set(key, mark) })
}

// DropRun removes the mark.
func (s *Store) DropRun(ctx context.Context) error {
	return s.eachRun(ctx, func(w *Write, key string) { w.Unlink(key) })
}

func (s *Store) eachRun(ctx context.Context, do func(w *Write, key string)) error {
	writes := make([]*Write, s.shards)
	for shard := range writes {
		writes[shard] = &Write{}
		do(writes[shard], runKey(shard))
	}
	s.Apply(WhenFull(ctx), writes...)
	_, err := Applied("mark a nightly run", writes...)
	return err
}

// HasRun says whether every shard has the mark.
func (s *Store) HasRun(ctx context.Context, mark string) (bool, error) {
	pipe := s.client.Pipeline()
	marks := make([]*redis.StringCmd, s.shards)
	for shard := range marks {
		marks[shard] = pipe.Get(ctx, runKey(shard))
	}
	if _, err := pipe.Exec(ctx); err != nil && !errors.Is(err, redis.Nil) {
		return false, Unavailable("read the mark of a nightly run", err)
	}
	for _, there := range marks {
		if there.Val() != mark {
			return false, nil
		}
	}
	return true, nil
}
