package pages

import (
	"context"
	"slices"

	"github.com/redis/go-redis/v9"

	"laurel/shared/ledger"
	"laurel/shared/redisstore"
)

// A FollowList is the follows page of a user, with the ids of those who are on the list:
// the page has hashes only.
type FollowList struct {
	User string
	Page string // "" for none
	IDs  []string
}

// FollowLists reads the follow lists of users, in their order and in one round trip; of
// those that change meanwhile, once more.
func (s *Store) FollowLists(ctx context.Context, users ...string) ([]FollowList, error) {
	lists, todo := make([]FollowList, len(users)), make([]int, len(users))
	for i, user := range users {
		lists[i].User, todo[i] = user, i
	}
	for len(todo) > 0 {
		var shards []int
		pages, ids := make([]*redis.SliceCmd, len(todo)), make([]*redis.StringSliceCmd, len(todo))
		after := make([]*redis.StringCmd, len(todo))
		pipe := s.redis.Client().Pipeline()
		for n, i := range todo {
			shard := s.redis.ShardOf(users[i])
			key := redisstore.PagesKey(shard, users[i])
			pages[n] = pipe.HMGet(ctx, key, redisstore.VersionField, ledger.FollowsPage().String())
			ids[n] = pipe.ZRange(ctx, redisstore.FriendsKey(shard, users[i]), 0, -1)
			after[n] = pipe.HGet(ctx, key, redisstore.VersionField)
			shards = append(shards, shard)
		}
		slices.Sort(shards)
		if err := s.redis.ExecMarked(ctx, pipe, "read follow lists", slices.Compact(shards)...); err != nil {
			return nil, err
		}
		var changed []int
		for n, i := range todo {
			version, _ := pages[n].Val()[0].(string)
			lists[i].Page, _ = pages[n].Val()[1].(string)
			if lists[i].IDs = ids[n].Val(); version != after[n].Val() {
				changed = append(changed, i)
			}
		}
		todo = changed
	}
	return lists, nil
}
