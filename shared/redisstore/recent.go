package redisstore

import (
	"context"

	"github.com/redis/go-redis/v9"
)

// recentPrefix begins the keys of what has happened lately, for people to look at. They are
// beside KeyPrefix: nothing is decided by them, and no rebuild, audit or backup knows them.
//
//	laurel-recent:{<name>}  list  entries, the newest first, keepRecent at most
const recentPrefix = "laurel-recent:{"

// keepRecent is the most entries of a list.
const keepRecent = 50

// AddRecent puts an entry before the others of a list, and drops the oldest. It takes a round
// trip.
func (s *Store) AddRecent(ctx context.Context, name string, entry []byte) error {
	key := recentPrefix + name + "}"
	_, err := s.client.Pipelined(ctx, func(p redis.Pipeliner) error {
		p.LPush(ctx, key, entry)
		p.LTrim(ctx, key, 0, keepRecent-1)
		return nil
	})
	if err != nil {
		return Unavailable("add to "+key, err)
	}
	return nil
}

// Recent returns the entries of lists, those of a list the newest first. It takes a round trip.
func (s *Store) Recent(ctx context.Context, names ...string) (entries []string, err error) {
	lists := make([]*redis.StringSliceCmd, len(names))
	_, err = s.client.Pipelined(ctx, func(p redis.Pipeliner) error {
		for i, name := range names {
			lists[i] = p.LRange(ctx, recentPrefix+name+"}", 0, keepRecent-1)
		}
		return nil
	})
	if err != nil {
		return nil, Unavailable("read what is recent", err)
	}
	for _, list := range lists {
		entries = append(entries, list.Val()...)
	}
	return entries, nil
}
