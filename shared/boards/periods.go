package boards

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
	"laurel/shared/redisstore"
)

// Periods lists the periods that Redis holds, by board, window and time. It takes
// two round trips, a deliberate exception: who is on a board can be counted when
// the index has named it.
func (s *Store) Periods(ctx context.Context) ([]redisstore.LivePeriod, error) {
	return s.periods(ctx, func(string, board.Period) bool { return true })
}

// PeriodsOf lists the periods of one board's window that Redis holds, the newest
// first, in two round trips like Periods.
func (s *Store) PeriodsOf(ctx context.Context, name string, w board.Window) ([]redisstore.LivePeriod, error) {
	periods, err := s.periods(ctx, func(b string, p board.Period) bool { return b == name && p.Window() == w })
	slices.Reverse(periods)
	return periods, err
}

func (s *Store) periods(ctx context.Context, wanted func(string, board.Period) bool) ([]redisstore.LivePeriod, error) {
	named, err := s.namedPeriods(ctx)
	if err != nil {
		return nil, err
	}
	var periods []redisstore.LivePeriod
	for _, member := range named {
		name, p, ok := redisstore.ParsePeriodName(member)
		if !ok {
			return nil, fmt.Errorf("%w: the index of periods has %q", redisstore.ErrStored, member)
		}
		if wanted(name, p) {
			periods = append(periods, redisstore.LivePeriod{Board: name, Period: p})
		}
	}
	slices.SortFunc(periods, func(a, b redisstore.LivePeriod) int {
		return cmp.Or(strings.Compare(a.Board, b.Board), a.Period.Compare(b.Period))
	})
	return periods, s.count(ctx, periods)
}

// namedPeriods reads the indexes of all shards, each member once.
func (s *Store) namedPeriods(ctx context.Context) ([]string, error) {
	pipe := s.redis.Client().Pipeline()
	indexes := make([]*redis.StringSliceCmd, s.redis.Shards())
	for shard := range s.redis.Shards() {
		indexes[shard] = pipe.SMembers(ctx, redisstore.PeriodsKey(shard))
	}
	if err := s.redis.ExecMarked(ctx, pipe, "list the periods"); err != nil {
		return nil, err
	}
	members := map[string]bool{}
	for _, index := range indexes {
		for _, member := range index.Val() {
			members[member] = true
		}
	}
	return slices.Collect(maps.Keys(members)), nil
}

// count fills the totals in.
func (s *Store) count(ctx context.Context, periods []redisstore.LivePeriod) error {
	if len(periods) == 0 {
		return nil
	}
	pipe := s.redis.Client().Pipeline()
	counts := make([]*redis.IntCmd, 0, len(periods)*s.redis.Shards())
	for _, p := range periods {
		for shard := range s.redis.Shards() {
			counts = append(counts, pipe.ZCard(ctx, redisstore.BoardKey(shard, p.Board, p.Period)))
		}
	}
	if err := s.redis.ExecMarked(ctx, pipe, "count the periods"); err != nil {
		return err
	}
	for i, c := range counts {
		periods[i/s.redis.Shards()].Total += c.Val()
	}
	return nil
}
