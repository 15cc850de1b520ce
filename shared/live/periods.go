package live

import (
	"cmp"
	"context"
	"fmt"
	"maps"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
)

// A LivePeriod is a period of a board that Redis holds.
type LivePeriod struct {
	Board  string
	Period board.Period
	Total  int64 // users on it, of all shards; 0 when the last one has left it
}

// Periods lists the periods that Redis holds, by board, window and time. It takes
// two round trips, a deliberate exception: who is on a board can be counted when
// the index has named it.
func (s *Store) Periods(ctx context.Context) ([]LivePeriod, error) {
	return s.periods(ctx, func(string, board.Period) bool { return true })
}

// PeriodsOf lists the periods of one board's window that Redis holds, the newest
// first, in two round trips like Periods.
func (s *Store) PeriodsOf(ctx context.Context, name string, w board.Window) ([]LivePeriod, error) {
	periods, err := s.periods(ctx, func(b string, p board.Period) bool { return b == name && p.Window() == w })
	slices.Reverse(periods)
	return periods, err
}

func (s *Store) periods(ctx context.Context, wanted func(string, board.Period) bool) ([]LivePeriod, error) {
	named, err := s.namedPeriods(ctx)
	if err != nil {
		return nil, err
	}
	var periods []LivePeriod
	for _, member := range named {
		name, p, ok := ParsePeriodName(member)
		if !ok {
			return nil, fmt.Errorf("%w: the index of periods has %q", ErrStored, member)
		}
		if wanted(name, p) {
			periods = append(periods, LivePeriod{Board: name, Period: p})
		}
	}
	slices.SortFunc(periods, func(a, b LivePeriod) int {
		return cmp.Or(strings.Compare(a.Board, b.Board), a.Period.Compare(b.Period))
	})
	return periods, s.count(ctx, periods)
}

// namedPeriods reads the indexes of all shards, each member once.
func (s *Store) namedPeriods(ctx context.Context) ([]string, error) {
	pipe := s.client.Pipeline()
	indexes := make([]*redis.StringSliceCmd, s.shards)
	for shard := range s.shards {
		indexes[shard] = pipe.SMembers(ctx, periodsKey(shard))
	}
	if _, err := pipe.Exec(ctx); err != nil {
		return nil, unavailable("list the periods", err)
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
func (s *Store) count(ctx context.Context, periods []LivePeriod) error {
	if len(periods) == 0 {
		return nil
	}
	pipe := s.client.Pipeline()
	counts := make([]*redis.IntCmd, 0, len(periods)*s.shards)
	for _, p := range periods {
		for shard := range s.shards {
			counts = append(counts, pipe.ZCard(ctx, boardKey(shard, p.Board, p.Period)))
		}
	}
	if _, err := pipe.Exec(ctx); err != nil {
		return unavailable("count the periods", err)
	}
	for i, c := range counts {
		periods[i/s.shards].Total += c.Val()
	}
	return nil
}

// Months lists the months that users have pages of, in order. It asks for every
// month that a moment can be in: 1,700 a shard in one round trip, once a night,
// instead of one more index that every commit would have to keep.
func (s *Store) Months(ctx context.Context) ([]board.MonthOf, error) {
	// A month more at each end: a day of a zone may begin before that of UTC, and
	// an undo has a page of the month before.
	first := board.PeriodOf(board.All, 0).First().Month() - 2
	last := board.DateOf(2139, 1, 1).Month() + 1
	pipe := s.client.Pipeline()
	var found []*redis.IntCmd
	for month := first; month <= last; month++ {
		for shard := range s.shards {
			found = append(found, pipe.Exists(ctx, monthKey(shard, month)))
		}
	}
	if _, err := pipe.Exec(ctx); err != nil {
		return nil, unavailable("list the months", err)
	}
	var months []board.MonthOf
	for i, c := range found {
		if month := first + board.MonthOf(i/s.shards); c.Val() > 0 && !slices.Contains(months, month) {
			months = append(months, month)
		}
	}
	return months, nil
}
