package view

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// keepRecent is the most entries of a list.
const keepRecent = 50

// AddRecent puts an entry before the others of a list, and drops the oldest. It takes a trip.
// Nothing is decided by it, and no fill brings it back.
func (s *Store) AddRecent(ctx context.Context, name string, entry []byte) error {
	key := s.recentKey(name)
	_, err := s.client.Pipelined(ctx, func(p redis.Pipeliner) error {
		p.LPush(ctx, key, entry)
		p.LTrim(ctx, key, 0, keepRecent-1)
		return nil
	})
	if err != nil {
		return unavailable("add to "+key, err)
	}
	return nil
}

// Recent returns the entries of lists, those of a list the newest first. It takes a trip.
func (s *Store) Recent(ctx context.Context, names ...string) (entries []string, err error) {
	lists := make([]*redis.StringSliceCmd, len(names))
	_, err = s.client.Pipelined(ctx, func(p redis.Pipeliner) error {
		for i, name := range names {
			lists[i] = p.LRange(ctx, s.recentKey(name), 0, keepRecent-1)
		}
		return nil
	})
	if err != nil {
		return nil, unavailable("read what is recent", err)
	}
	for _, list := range lists {
		entries = append(entries, list.Val()...)
	}
	return entries, nil
}
