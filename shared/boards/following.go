package boards

import (
	"context"
	_ "embed"

	"laurel/shared/redisstore"
)

//go:embed read_following.lua
var readFollowingSource string

// A Following is a page of whom a user follows.
type Following struct {
	Users []string // by id
	Total int64    // on the whole list
	Copies
}

// mostNamed is the longest page of a follow list, or of a friends board, that comes
// with profiles.
const mostNamed = 1_000

// Following reads a page of whom a user follows, in one round trip; the copies of
// profiles that are in other shards take a second one, a deliberate exception. A
// page of more than a thousand comes without any.
func (s *Store) Following(ctx context.Context, user string, offset, limit int64) (Following, error) {
	shard := s.redis.ShardOf(user)
	c := &redisstore.Call{
		Script: s.scripts.readFollowing,
		Keys:   []string{redisstore.FriendsKey(shard, user), redisstore.ProfilesKey(shard)},
		Args:   []any{offset, offset + limit - 1, mostNamed},
	}
	s.redis.Run(ctx, c)
	reply, err := c.Cmd.Slice()
	if err != nil {
		return Following{}, redisstore.Unavailable("read a follow list", err)
	}
	if len(reply) != 3 {
		return Following{}, redisstore.Unreadable("a follow list's answer is not of three parts")
	}
	f := Following{Users: redisstore.Texts(reply[1]), Copies: Copies{Profiles: map[string]string{}}}
	f.Total, _ = reply[0].(int64)
	if s.redis.Shards() > 1 && len(f.Users) <= mostNamed {
		f.Profiles, f.Generation, err = s.Profiles(ctx, f.Users)
		return f, err
	}
	copies, _ := reply[2].([]any)
	var users []string
	if len(copies) > 1 {
		users = f.Users
	}
	f.Generation, err = s.takeCopies(f.Profiles, users, copies)
	return f, err
}
