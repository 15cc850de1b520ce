package pages

import (
	"context"
	"maps"
	"slices"

	"github.com/redis/go-redis/v9"

	"laurel/shared/ledger"
	"laurel/shared/redisstore"
)

// statusesAtOnce is the number of statuses that are read in one round trip.
const statusesAtOnce = 1_000

// RestoreStatus gives a user the status that is kept (see KeepStatuses), on the pages and
// on every live board, also over a damaged one. Whose pages are damaged is not put on
// boards. Whose kept status is damaged has ledger.StandIn. It may be done again.
func (s *Store) RestoreStatus(ctx context.Context, user string) error {
	return s.setStatus(ctx, user, statusChange{})
}

// OtherStatuses returns the users whose status in Redis is not the one that is kept, those
// included who are suppressed there and of whom none is kept. kept has the status pages by
// user. A status that is being set is another one, too.
func (s *Store) OtherStatuses(ctx context.Context, kept map[string]string) (users []string, err error) {
	suppressed := map[string]bool{}
	for shard := range s.redis.Shards() {
		members, err := s.redis.Client().SMembers(ctx, redisstore.SuppressedKey(shard)).Result()
		if err != nil {
			return nil, redisstore.Unavailable("list suppressed users", err)
		}
		for _, user := range members {
			if suppressed[user] = true; kept[user] == "" {
				users = append(users, user)
			}
		}
	}
	for some := range slices.Chunk(slices.Collect(maps.Keys(kept)), statusesAtOnce) {
		pipe := s.redis.Client().Pipeline()
		pages := make([]*redis.StringCmd, len(some))
		for i, user := range some {
			pages[i] = pipe.HGet(ctx, redisstore.PagesKey(s.redis.ShardOf(user), user), ledger.StatusPage().String())
		}
		if err := s.redis.ExecMarked(ctx, pipe, "read statuses"); err != nil {
			return nil, err
		}
		for i, user := range some {
			status, err := ledger.OpenUserStatus(kept[user])
			if pages[i].Val() != kept[user] || suppressed[user] != (err != nil || status.Suppressed()) {
				users = append(users, user)
			}
		}
	}
	return users, nil
}
