package pages

import (
	"context"

	"laurel/shared/ledger"
	"laurel/shared/redisstore"
)

// PagesOf reads all pages of a user, in one round trip.
func (s *Store) PagesOf(ctx context.Context, user string) (ledger.Pages, error) {
	pipe, shard := s.redis.Client().Pipeline(), s.redis.ShardOf(user)
	fields := pipe.HGetAll(ctx, redisstore.PagesKey(shard, user))
	if err := s.redis.ExecMarked(ctx, pipe, "read all pages of a user", shard); err != nil {
		return nil, err
	}
	return person{pages: ledger.Pages{}}.with(fields.Val()).pages, nil
}

// Followers counts the follow lists that have the user, or know that they had. It looks into
// all of them.
func (s *Store) Followers(ctx context.Context, user string) (int64, error) {
	found := map[string]bool{}
	for shard := range s.redis.Shards() {
		for cursor := uint64(0); ; {
			followers, next, err := s.followers(ctx, user, shard, cursor)
			if err != nil {
				return 0, err
			}
			for _, follower := range followers {
				found[follower] = true
			}
			if cursor = next; cursor == 0 {
				break
			}
		}
	}
	return int64(len(found)), nil
}
