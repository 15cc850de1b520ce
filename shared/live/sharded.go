package live

import (
	"context"
	"errors"
	"fmt"
	"slices"
	"strconv"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
)

// maxHead is how far from the top a page of a sharded board may end to be read
// from the head of every shard. Deeper ones are looked for first (seek): an
// exception of at most 54 round trips, as each halves the scores that may be
// there.
const maxHead = 1_000

// sharded is a view being put together from its shards.
type sharded struct {
	view   board.View
	counts []*redis.IntCmd
	heads  []*redis.ZSliceCmd
	lasts  []*redis.ZSliceCmd
	packed *redis.FloatCmd // the user's, on the board
	before *redis.FloatCmd // and on that of the period before
	around []*call

	page board.Page
}

// readSharded reads pieces of boards that are in several shards. A page takes
// one round trip, all shards at once; a standing takes a second one, as the
// other shards can't count who is before a score they don't know.
func (s *Store) readSharded(ctx context.Context, views []board.View) ([]board.Page, error) {
	pipe := s.client.Pipeline()
	all := make([]*sharded, len(views))
	for i, v := range views {
		all[i] = s.askShards(ctx, pipe, v)
	}
	_, _ = pipe.Exec(ctx)
	var around []*call
	for _, m := range all {
		if err := s.merge(ctx, m); err != nil {
			return nil, err
		}
		around = append(around, m.around...)
	}
	s.run(ctx, around)
	pages := make([]board.Page, len(all))
	for i, m := range all {
		if m.view.User != "" {
			if err := m.stand(); err != nil {
				return nil, err
			}
		}
		pages[i] = m.page
	}
	return pages, nil
}

// askShards puts the first round of questions into a pipeline.
func (s *Store) askShards(ctx context.Context, pipe redis.Pipeliner, v board.View) *sharded {
	m := &sharded{view: v}
	for shard := range s.shards {
		key := boardKey(shard, v.Board, v.Period)
		m.counts = append(m.counts, pipe.ZCard(ctx, key))
		if end := v.Offset + v.Limit; v.Limit > 0 && end <= maxHead {
			m.heads = append(m.heads, pipe.ZRangeWithScores(ctx, key, 0, end-1))
		}
		if v.User != "" {
			m.lasts = append(m.lasts, pipe.ZRangeWithScores(ctx, key, -1, -1))
		}
	}
	if v.User != "" {
		home := s.shardOf(v.User)
		m.packed = pipe.ZScore(ctx, boardKey(home, v.Board, v.Period), v.User)
		m.before = pipe.ZScore(ctx, boardKey(home, v.Board, previous(v.Period)), v.User)
	}
	return m
}

// merge takes in the first round of answers and prepares the second.
func (s *Store) merge(ctx context.Context, m *sharded) error {
	for _, c := range m.counts {
		if c.Err() != nil {
			return unavailable("count a board", c.Err())
		}
		m.page.Total += c.Val()
	}
	heads, err := places(m.heads)
	if err != nil {
		return err
	}
	if v := m.view; len(m.heads) == 0 && v.Limit > 0 && v.Offset < m.page.Total {
		if heads, err = s.seek(ctx, v); err != nil {
			return err
		}
		m.page.Places = heads
	} else {
		m.page.Places = cut(heads, v.Offset, v.Limit)
	}
	if m.view.User == "" {
		return nil
	}
	return s.askAround(m)
}

// askAround prepares the second round: what is around the user in every shard.
func (s *Store) askAround(m *sharded) error {
	var args [2]string
	for i, c := range []*redis.FloatCmd{m.packed, m.before} {
		switch err := c.Err(); {
		case err == nil:
			args[i] = strconv.FormatInt(int64(c.Val()), 10)
		case !errors.Is(err, redis.Nil):
			return unavailable("read a score", err)
		}
	}
	if args[0] == "" && args[1] == "" {
		return nil
	}
	for shard := range s.shards {
		m.around = append(m.around, s.aroundCall(shard, m.view, args[0], args[1], max(m.view.Around, 1)))
	}
	return nil
}

// aroundCall asks a shard what is around a user with these packed scores on the
// board and on that of the period before, "" for none.
func (s *Store) aroundCall(shard int, v board.View, packed, before string, around int64) *call {
	return &call{
		script: s.scripts.readAround,
		keys:   []string{boardKey(shard, v.Board, v.Period), boardKey(shard, v.Board, previous(v.Period))},
		args:   []any{v.User, packed, before, around},
	}
}

// parseAround puts together what all shards have answered: who is near, and how
// many are before the user on either board.
func parseAround(calls []*call) (near []board.Place, before, beforeThat int64, err error) {
	for _, c := range calls {
		reply, err := c.cmd.Slice()
		if err != nil {
			return nil, 0, 0, unavailable("read around a place", err)
		}
		if len(reply) != 3 {
			return nil, 0, 0, fmt.Errorf("%w: an answer has %d parts", ErrStored, len(reply))
		}
		now, _ := reply[0].(int64)
		then, _ := reply[1].(int64)
		here, err := parsePlaces(reply[2], 0)
		if err != nil {
			return nil, 0, 0, err
		}
		near, before, beforeThat = append(near, here...), before+now, beforeThat+then
	}
	return near, before, beforeThat, nil
}

// stand takes in the second round of answers.
func (m *sharded) stand() error {
	near, rank, previousRank, err := parseAround(m.around)
	if err != nil {
		return err
	}
	if m.before.Err() == nil {
		previousRank++
	}
	lasts, err := places(m.lasts)
	if err != nil {
		return err
	}
	slices.SortFunc(near, board.ComparePlaces)
	i := slices.IndexFunc(near, func(p board.Place) bool { return p.User == m.view.User })
	if m.packed.Err() != nil || i < 0 {
		var last *board.Place
		if len(lasts) > 0 {
			last = new(slices.MaxFunc(lasts, board.ComparePlaces))
		}
		m.page.Standing = board.OffBoard(m.page.Total, last, previousRank)
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
		pipe := s.client.Pipeline()
		cmds := make([]*redis.IntCmd, s.shards)
		for shard := range s.shards {
			cmds[shard] = pipe.ZCount(ctx, boardKey(shard, v.Board, v.Period), "-inf", below)
		}
		if _, err := pipe.Exec(ctx); err != nil {
			return nil, 0, unavailable("seek a place", err)
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
	pipe := s.client.Pipeline()
	heads := make([]*redis.ZSliceCmd, s.shards)
	for shard, from := range counts {
		heads[shard] = pipe.ZRangeWithScores(ctx, boardKey(shard, v.Board, v.Period), from, from+v.Offset-sum+v.Limit-1)
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
			return nil, unavailable("read a board", c.Err())
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
