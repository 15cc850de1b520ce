package pages

import (
	"context"
	"slices"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/redisstore"
)

// Days reads what a user did from a day to a later one, in one round trip.
func (s *Store) Days(ctx context.Context, user string, from, to board.Date) ([]ledger.DayActivity, error) {
	days, _, err := s.DaysWithStatus(ctx, user, from, to)
	return days, err
}

// DaysWithStatus is Days with the user's status, in the same round trip.
func (s *Store) DaysWithStatus(ctx context.Context, user string, from, to board.Date) (days []ledger.DayActivity,
	status ledger.UserStatus, err error,
) {
	keys := []ledger.PageKey{ledger.StatusPage()}
	for m := from.Month(); m <= to.Month(); m++ {
		keys = append(keys, ledger.MonthPage(m))
	}
	pipe, shard := s.redis.Client().Pipeline(), s.redis.ShardOf(user)
	values := pipe.HMGet(ctx, redisstore.PagesKey(shard, user), names(keys)[1:]...)
	if err := s.redis.ExecMarked(ctx, pipe, "read pages", shard); err != nil {
		return nil, status, err
	}
	pages := ledger.Pages{}
	for i, key := range keys {
		page, there := values.Val()[i].(string)
		pages[key] = ledger.StoredPage(page, there)
	}
	if days, err = s.ledger.Days(pages, from, to); err == nil {
		status, err = ledger.OpenUserStatus(pages[ledger.StatusPage()])
	}
	if err != nil {
		return nil, status, redisstore.Damaged(user, err)
	}
	return days, status, nil
}

// Months lists the months that users have pages of, in order: those of boards, and those with
// an index. It asks for every month that a moment can be in: 1,700 a shard in one round trip of
// two, once a night, instead of one more index that every commit would have to keep.
func (s *Store) Months(ctx context.Context) ([]board.MonthOf, error) {
	// A month more at each end: a day of a zone may begin before that of UTC, and
	// an undo has a page of the month before.
	first := board.PeriodOf(board.All, 0).First().Month() - 2
	last := board.DateOf(2139, 1, 1).Month() + 1
	pipe := s.redis.Client().Pipeline()
	var found []*redis.IntCmd
	periods := make([]*redis.StringSliceCmd, s.redis.Shards())
	for shard := range periods {
		periods[shard] = pipe.SMembers(ctx, redisstore.PeriodsKey(shard))
	}
	for month := first; month <= last; month++ {
		for shard := range s.redis.Shards() {
			found = append(found, pipe.Exists(ctx, redisstore.MonthKey(shard, month)))
		}
	}
	if err := s.redis.ExecMarked(ctx, pipe, "list the months"); err != nil {
		return nil, err
	}
	var months []board.MonthOf
	for i, c := range found {
		if c.Val() > 0 {
			months = append(months, first+board.MonthOf(i/s.redis.Shards()))
		}
	}
	pipe = s.redis.Client().Pipeline()
	boards := map[*redis.IntCmd]board.MonthOf{}
	for shard, index := range periods {
		for _, member := range index.Val() {
			if name, p, ok := redisstore.ParsePeriodName(member); ok && p.Window() == board.Month {
				boards[pipe.Exists(ctx, redisstore.BoardKey(shard, name, p))] = p.First().Month()
			}
		}
	}
	if err := s.redis.ExecMarked(ctx, pipe, "list the months"); err != nil {
		return nil, err
	}
	for c, month := range boards {
		if c.Val() > 0 {
			months = append(months, month)
		}
	}
	slices.Sort(months)
	return slices.Compact(months), nil
}
