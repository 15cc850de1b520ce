package pages

import (
	"context"
	"fmt"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
	"laurel/shared/ledger"
	"laurel/shared/redisstore"
)

// RemoveDayPages removes the pages of a day of everybody who has one: the months' pages
// keep their summary, which is the truth of the day from then on. The boards that have
// entries by day are closed for it, else the error wraps redisstore.ErrNotClosed. It may be
// done again, and beside requests.
func (s *Store) RemoveDayPages(ctx context.Context, day board.Date, boards ...string) error {
	for shard := range s.redis.Shards() {
		for from := ""; ; {
			users, next, err := s.redis.MonthUsers(ctx, shard, day.Month(), from, removeLen)
			if err != nil {
				return err
			}
			for attempt := 1; len(users) > 0; attempt++ {
				if users, err = s.removeDayPagesOf(ctx, shard, users, day, boards); err != nil {
					return err
				}
				if attempt == redisstore.MaxAttempts {
					return fmt.Errorf("%w: %d attempts", redisstore.ErrBusy, attempt)
				}
			}
			if from = next; from == "" {
				break
			}
		}
	}
	return nil
}

// removeDayPagesOf removes the page of a day of some users of a shard, and returns those
// whose pages or closed-period set have changed in between.
func (s *Store) removeDayPagesOf(
	ctx context.Context, shard int, users []string, day board.Date, boards []string,
) (again []string, err error) {
	pipe, page := s.redis.Client().Pipeline(), ledger.DayPage(day).String()
	closed := pipe.Get(ctx, redisstore.ClosedKey(shard))
	versions, has := make([]*redis.StringCmd, len(users)), make([]*redis.BoolCmd, len(users))
	for i, user := range users {
		versions[i] = pipe.HGet(ctx, redisstore.PagesKey(shard, user), redisstore.VersionField)
		has[i] = pipe.HExists(ctx, redisstore.PagesKey(shard, user), page)
	}
	cmds, _ := pipe.Exec(ctx)
	if err := redisstore.FirstError(cmds...); err != nil {
		return nil, redisstore.Unavailable("look for pages of a day", err)
	}
	set, err := s.redis.ReadClosed(shard, closed.Val())
	if err != nil {
		return nil, err
	}
	for _, name := range boards {
		if p := board.PeriodOf(board.Day, day); !set.Periods.Has(name, p) {
			return nil, fmt.Errorf("%w: %s", redisstore.ErrNotClosed, redisstore.PeriodName(name, p))
		} else if set.Reopening(name, p) {
			return nil, fmt.Errorf("%w: %s", redisstore.ErrReopening, redisstore.PeriodName(name, p))
		}
	}
	var writes []*redisstore.Write
	var removed []string
	for i, user := range users {
		if !has[i].Val() {
			continue
		}
		w, key, next := &redisstore.Write{}, redisstore.PagesKey(shard, user), redisstore.NewVersion()
		w.GuardVersion(key, redisstore.VersionField, versions[i].Val(), next)
		w.GuardClosed(shard, set)
		w.HSet(key, redisstore.VersionField, next)
		w.HDel(key, page)
		writes, removed = append(writes, w), append(removed, user)
	}
	s.redis.Apply(ctx, writes...)
	for i, w := range writes {
		switch done, _, err := w.Done("remove the page of a day"); {
		case err != nil:
			return nil, err
		case !done:
			again = append(again, removed[i])
		}
	}
	return again, nil
}
