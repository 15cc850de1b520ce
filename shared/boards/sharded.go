package boards

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
	"laurel/shared/redisstore"
)

// maxHead is how far from the top a page of a sharded board may end to be read
// from the head of every shard. Deeper ones are looked for first (seek): an
// exception of at most 54 round trips, as each halves the scores that may be
// there.
const maxHead = 1_000

// namedHead is how far from the top a page may end to have the copies of profiles
// come along, of everybody in the heads. Of a deeper one those on the page are asked
// for when it is known: an exception of one round trip, which a standing shares.
const namedHead = 200

// sharded is a view being put together from its shards.
type sharded struct {
	view   board.View
	heads  []*redisstore.Call // read_board.lua in every shard
	packed *redis.FloatCmd    // the user's, on the board
	before *redis.FloatCmd    // and on that of the period before
	mine   *redis.StringCmd   // and the copy of the profile
	around []*redisstore.Call // read_around.lua in every shard
	names  []*profilesOf      // copies that did not come with the heads
	copies map[string]string  // those that have come, also of others than on the page

	page Page
}

// readSharded reads pieces of boards that are in several shards. A page takes
// one round trip, all shards at once; a standing takes a second one, as the
// other shards can't count who is before a score they don't know.
func (s *Store) readSharded(ctx context.Context, views []board.View) ([]Page, error) {
	all := make([]*sharded, len(views))
	var heads []*redisstore.Call
	for i, v := range views {
		all[i] = &sharded{view: v, copies: map[string]string{}}
		heads = append(heads, s.askHeads(all[i])...)
	}
	s.redis.RunBeside(ctx, heads, func(pipe redis.Pipeliner) {
		for _, m := range all {
			s.askUser(ctx, pipe, m)
		}
	})
	var around []*redisstore.Call
	for _, m := range all {
		if err := s.merge(ctx, m); err != nil {
			return nil, err
		}
		around = append(around, m.around...)
	}
	s.redis.RunBeside(ctx, around, func(pipe redis.Pipeliner) {
		for _, m := range all {
			s.askNames(ctx, pipe, m)
		}
	})
	pages := make([]Page, len(all))
	for i, m := range all {
		if err := s.finish(m); err != nil {
			return nil, err
		}
		pages[i] = m.page
	}
	return pages, nil
}

// askHeads asks every shard for the head of its part, if the page is in it, and
// else for its length.
func (s *Store) askHeads(m *sharded) []*redisstore.Call {
	end, names := m.view.Offset+m.view.Limit, unnamed
	if m.view.Limit == 0 || end > maxHead || end < 0 {
		end = 0
	}
	if end <= namedHead {
		names = named
	}
	for shard := range s.redis.Shards() {
		m.heads = append(m.heads, s.readCall(s.scripts.readBoard, shard, m.view, 0, end, "", 0, names))
	}
	return m.heads
}

// askUser puts what is to be known of the view's user into the first pipeline.
func (s *Store) askUser(ctx context.Context, pipe redis.Pipeliner, m *sharded) {
	v := m.view
	if v.User == "" {
		return
	}
	home := s.redis.ShardOf(v.User)
	m.packed = pipe.ZScore(ctx, redisstore.BoardKey(home, v.Board, v.Period), v.User)
	m.before = pipe.ZScore(ctx, redisstore.BoardKey(home, v.Board, previous(v.Period)), v.User)
	m.mine = pipe.HGet(ctx, redisstore.ProfilesKey(home), v.User)
}

// merge takes in the first round of answers and prepares the second.
func (s *Store) merge(ctx context.Context, m *sharded) error {
	var heads []board.Place
	generations := make([]string, len(m.heads))
	for shard, c := range m.heads {
		part, err := parsePiece(c, 0)
		if err != nil {
			return err
		}
		m.page.Total += part.total
		heads = append(heads, part.places...)
		var users []string
		if len(part.copies) > 1 {
			users = usersOf(part.places)
		}
		if generations[shard], err = s.takeCopies(m.copies, users, part.copies); err != nil {
			return err
		}
	}
	m.page.Generation = joinGenerations(generations)
	v := m.view
	m.page.Places = cut(heads, v.Offset, v.Limit)
	if end := v.Offset + v.Limit; v.Limit > 0 && (end > maxHead || end < 0) && v.Offset < m.page.Total {
		var err error
		if m.page.Places, err = s.seek(ctx, v); err != nil {
			return err
		}
	}
	if v.User == "" {
		return nil
	}
	return s.askAround(m)
}

// askNames asks for the copies of those on the page if they did not come along.
func (s *Store) askNames(ctx context.Context, pipe redis.Pipeliner, m *sharded) {
	if m.view.Offset+m.view.Limit > namedHead {
		m.names = s.askProfiles(ctx, pipe, usersOf(m.page.Places), false)
	}
}

// askAround prepares the second round: what is around the user in every shard.
func (s *Store) askAround(m *sharded) error {
	var args [2]string
	for i, c := range []*redis.FloatCmd{m.packed, m.before} {
		switch err := c.Err(); {
		case err == nil:
			args[i] = strconv.FormatInt(int64(c.Val()), 10)
		case !errors.Is(err, redis.Nil):
			return redisstore.Unavailable("read a score", err)
		}
	}
	if args[0] == "" && args[1] == "" {
		return nil
	}
	for shard := range s.redis.Shards() {
		m.around = append(m.around, s.aroundCall(shard, m.view, args[0], args[1], max(m.view.Around, 1)))
	}
	return nil
}

// finish takes in the second round of answers, and keeps the copies of those who are
// in the answer.
func (s *Store) finish(m *sharded) error {
	if m.view.User != "" {
		if err := s.stand(m); err != nil {
			return err
		}
	}
	for _, asked := range m.names {
		if _, err := s.takeProfilesOf(asked, m.copies); err != nil {
			return err
		}
	}
	m.page.Profiles = map[string]string{}
	for _, user := range append(append(usersOf(m.page.Places), usersOf(m.page.Neighbours)...), m.view.User) {
		if text, ok := m.copies[user]; ok {
			m.page.Profiles[user] = text
		}
	}
	return nil
}

// aroundCall asks a shard what is around a user with these packed scores on the
// board and on that of the period before, "" for none.
func (s *Store) aroundCall(shard int, v board.View, packed, before string, around int64) *redisstore.Call {
	return s.readCall(s.scripts.readAround, shard, v, v.User, packed, before, around)
}

// parseAround puts together what all shards have answered: who is near, with copies
// of their profiles, and how many are before the user on either board.
func (s *Store) parseAround(calls []*redisstore.Call, copies map[string]string) (
	near []board.Place, before, beforeThat int64, err error,
) {
	for _, c := range calls {
		reply, err := c.Cmd.Slice()
		if err != nil {
			return nil, 0, 0, redisstore.Unavailable("read around a place", err)
		}
		if len(reply) != 4 {
			return nil, 0, 0, fmt.Errorf("%w: an answer has %d parts", redisstore.ErrStored, len(reply))
		}
		now, _ := reply[0].(int64)
		then, _ := reply[1].(int64)
		here, err := parsePlaces(reply[2], 0)
		if err != nil {
			return nil, 0, 0, err
		}
		values, _ := reply[3].([]any)
		if _, err := s.takeCopies(copies, usersOf(here), values); err != nil {
			return nil, 0, 0, err
		}
		near, before, beforeThat = append(near, here...), before+now, beforeThat+then
	}
	return near, before, beforeThat, nil
}

// stand works out the standing of the view's user.
func (s *Store) stand(m *sharded) error {
	switch text, err := m.mine.Result(); {
	case err == nil:
		m.copies[m.view.User] = text
	case !errors.Is(err, redis.Nil):
		return redisstore.Unavailable("read a profile", err)
	}
	near, rank, previousRank, err := s.parseAround(m.around, m.copies)
	if err != nil {
		return err
	}
	if m.before.Err() == nil {
		previousRank++
	}
	slices.SortFunc(near, board.ComparePlaces)
	i := slices.IndexFunc(near, func(p board.Place) bool { return p.User == m.view.User })
	if onBoard := m.packed.Err() == nil; !onBoard || i < 0 {
		m.page.Standing = board.OffBoard(m.page.Total, previousRank)
		return nil
	}
	rank++
	for j := range near {
		near[j].Rank = rank + int64(j-i)
	}
	m.page.Standing, m.page.Neighbours = board.Stand(near, rank, m.page.Total, previousRank, m.view.Around)
	return nil
}

// seek reads a page that is deep in a sharded board: it looks for the packed
// score that the page starts at, and reads from there in every shard.
func (s *Store) seek(ctx context.Context, v board.View) ([]board.Place, error) {
	count := func(below string) (counts []int64, sum int64, err error) {
		pipe := s.redis.Client().Pipeline()
		cmds := make([]*redis.IntCmd, s.redis.Shards())
		for shard := range s.redis.Shards() {
			cmds[shard] = pipe.ZCount(ctx, redisstore.BoardKey(shard, v.Board, v.Period), "-inf", below)
		}
		if _, err := pipe.Exec(ctx); err != nil {
			return nil, 0, redisstore.Unavailable("seek a place", err)
		}
		for _, c := range cmds {
			counts, sum = append(counts, c.Val()), sum+c.Val()
		}
		return counts, sum, nil
	}
	low, high := int64(board.Pack(board.MaxScore, 0)), int64(0)
	for low < high { // the least packed score with more than Offset places up to it
		middle := low + (high-low)/2
		_, sum, err := count(strconv.FormatInt(middle, 10))
		if err != nil {
			return nil, err
		}
		if sum > v.Offset {
			high = middle
		} else {
			low = middle + 1
		}
	}
	counts, sum, err := count("(" + strconv.FormatInt(low, 10))
	if err != nil {
		return nil, err
	}
	pipe := s.redis.Client().Pipeline()
	heads := make([]*redis.ZSliceCmd, s.redis.Shards())
	for shard, from := range counts {
		heads[shard] = pipe.ZRangeWithScores(ctx, redisstore.BoardKey(shard, v.Board, v.Period), from, from+v.Offset-sum+
			v.Limit-1)
	}
	_, _ = pipe.Exec(ctx)
	all, err := places(heads)
	if err != nil {
		return nil, err
	}
	all = cut(all, v.Offset-sum, v.Limit)
	for i := range all {
		all[i].Rank += sum
	}
	return all, nil
}

// places gathers what shards answered, not ranked yet.
func places(answers []*redis.ZSliceCmd) ([]board.Place, error) {
	var all []board.Place
	for _, c := range answers {
		if c.Err() != nil {
			return nil, redisstore.Unavailable("read a board", c.Err())
		}
		for _, z := range c.Val() {
			user, _ := z.Member.(string)
			all = append(all, board.Place{Entry: board.Entry{User: user, Packed: board.Packed(z.Score)}})
		}
	}
	return all, nil
}

// cut sorts the places of all shards and keeps the page, ranked.
func cut(places []board.Place, offset, limit int64) []board.Place {
	slices.SortFunc(places, board.ComparePlaces)
	n := int64(len(places))
	places = places[min(offset, n):min(offset+limit, n)]
	for i := range places {
		places[i].Rank = offset + int64(i) + 1
	}
	return places
}
