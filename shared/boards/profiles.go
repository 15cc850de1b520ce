package boards

import (
	"context"
	_ "embed"
	"errors"
	"fmt"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
	"laurel/shared/redisstore"
)

//go:embed set_profiles.lua
var setProfilesSource string

// Copies of profiles have no TTL, as their hash has none: they go with a user's last page.
// There are as many as users with a profile; that a user has none is copied while a shard has
// fewer than its part of mostCopies, as a member can follow who does not exist. Any copy that
// is missing is filled again from the table when it is needed.
const (
	mostCopies = 1 << 20 // of all shards, before those without a profile are not set
	setLen     = 500     // copies that one script sets
)

// Copies are the copies of profiles that were read with a page, by user: of those on
// the page, of the View's user and of the neighbours. Whose is not there is not known
// yet; Generation is what it takes to set it.
type Copies struct {
	Profiles   map[string]string
	Generation string
}

// A Page is a page of a board with the copies of profiles.
type Page struct {
	board.Page
	Copies
}

// A FriendsPage is a page of a friends board with the copies of profiles.
type FriendsPage struct {
	board.FriendsPage
	Copies
}

// Profiles reads the copies of some users' profiles, all shards in one round trip:
// those that are there, and the generation, which SetProfiles needs to set others.
func (s *Store) Profiles(ctx context.Context, users []string) (copies map[string]string, generation string, err error) {
	pipe := s.redis.Client().Pipeline()
	asked := s.askProfiles(ctx, pipe, users, true)
	if _, err := pipe.Exec(ctx); err != nil {
		return nil, "", redisstore.Unavailable("read profiles", err)
	}
	return s.takeProfiles(asked)
}

// takeProfiles takes in the answers of all shards: the copies, and the generation.
func (s *Store) takeProfiles(asked []*profilesOf) (copies map[string]string, generation string, err error) {
	copies = map[string]string{}
	generations := make([]string, s.redis.Shards())
	for _, a := range asked {
		if generations[a.shard], err = s.takeProfilesOf(a, copies); err != nil {
			return nil, "", err
		}
	}
	return copies, joinGenerations(generations), nil
}

// profilesOf are users of one shard whose copies are asked for.
type profilesOf struct {
	shard int
	users []string
	cmd   *redis.SliceCmd
}

// askProfiles puts the question for some users' copies into a pipeline, and for the
// generation of every shard if all are asked.
func (s *Store) askProfiles(ctx context.Context, pipe redis.Pipeliner, users []string, all bool) []*profilesOf {
	byShard := make([][]string, s.redis.Shards())
	for _, user := range users {
		shard := s.redis.ShardOf(user)
		byShard[shard] = append(byShard[shard], user)
	}
	var asked []*profilesOf
	for shard, users := range byShard {
		if all || len(users) > 0 {
			asked = append(asked, &profilesOf{
				shard, users,
				pipe.HMGet(ctx, redisstore.ProfilesKey(shard), append([]string{redisstore.MarkField}, users...)...),
			})
		}
	}
	return asked
}

// takeProfilesOf takes a shard's answer in: the copies, and the generation.
func (s *Store) takeProfilesOf(p *profilesOf, copies map[string]string) (generation string, err error) {
	values, err := p.cmd.Result()
	if err != nil {
		return "", redisstore.Unavailable("read profiles", err)
	}
	return s.takeCopies(copies, p.users, values)
}

// takeCopies puts what was read of some users into copies. The first value is the
// generation, which has the stamp in it, the others are the users', in order.
func (s *Store) takeCopies(copies map[string]string, users []string, values []any) (generation string, err error) {
	if len(values) != 1+len(users) {
		return "", fmt.Errorf("%w: %d copies of profiles for %d users", redisstore.ErrStored, len(values)-1, len(users))
	}
	for i, user := range users {
		if text, ok := values[i+1].(string); ok {
			copies[user] = text
		}
	}
	generation, _ = values[0].(string)
	return generation, s.redis.CheckMark(generation)
}

// joinGenerations makes one text of every shard's generation.
func joinGenerations(generations []string) string { return strings.Join(generations, ",") }

// SetProfiles sets copies where there is none or an older one, in one round trip
// for all shards. A copy is its version in digits, and may have more behind a space.
// It says false when somebody was erased since the generation was read, which Profiles and
// Read give: the copies may be that user's, and have to be read again. What was set
// of them is right. It may be done again.
func (s *Store) SetProfiles(ctx context.Context, generation string, copies map[string]string) (bool, error) {
	generations := strings.Split(generation, ",")
	if len(generations) != s.redis.Shards() {
		return false, fmt.Errorf("%w: generation %q of %d shards", redisstore.ErrStored, generation, s.redis.Shards())
	}
	most := max(mostCopies/s.redis.Shards(), 1)
	pending := make([]*redisstore.Call, s.redis.Shards())
	var calls []*redisstore.Call
	for user, text := range copies {
		if user == redisstore.MarkField {
			continue // nobody's
		}
		shard := s.redis.ShardOf(user)
		c := pending[shard]
		if c == nil || len(c.Args) >= 2+2*setLen {
			c = &redisstore.Call{
				Script: s.scripts.setProfiles, Keys: []string{redisstore.ProfilesKey(shard)},
				Args: []any{generations[shard], most},
			}
			pending[shard], calls = c, append(calls, c)
		}
		c.Args = append(c.Args, user, text)
	}
	s.redis.Run(ctx, calls...)
	return redisstore.AllDone("set profiles", calls...)
}

// DropProfiles drops the copies of users who were erased, and has whoever read them
// before not set them again. It may be done again.
func (s *Store) DropProfiles(ctx context.Context, users ...string) error {
	ctx = redisstore.WhenFull(ctx)
	byShard := make([][]any, s.redis.Shards())
	for _, user := range users {
		shard := s.redis.ShardOf(user)
		byShard[shard] = append(byShard[shard], user)
	}
	for shard, users := range byShard {
		for part := range slices.Chunk(users, 2*setLen) {
			if err := s.dropProfiles(ctx, shard, part); err != nil {
				return err
			}
		}
	}
	return nil
}

// dropProfiles drops copies of a shard, and changes its mark.
func (s *Store) dropProfiles(ctx context.Context, shard int, users []any) error {
	key := redisstore.ProfilesKey(shard)
	mark, err := s.redis.Client().HGet(ctx, key, redisstore.MarkField).Result()
	if err != nil && !errors.Is(err, redis.Nil) {
		return redisstore.Unavailable("read the mark of the profiles", err)
	}
	var w redisstore.Write
	w.HDel(key, users...)
	w.HIncrBy(key, redisstore.MarkField, redisstore.MarkStep(mark))
	s.redis.Apply(ctx, &w)
	_, _, err = w.Done("drop profiles")
	return err
}
