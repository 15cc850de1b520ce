package boards

import (
	"context"
	"fmt"

	"laurel/shared/board"
	"laurel/shared/redisstore"
)

// RemoveBoard removes a closed board from Redis, from every shard. The closed-period
// set tells it first. It may be done again. The error wraps redisstore.ErrNotClosed or
// redisstore.ErrReopening when it must stay.
func (s *Store) RemoveBoard(ctx context.Context, name string, p board.Period) error {
	if err := s.redis.MarkRemoved(ctx, name, p); err != nil {
		return err
	}
	if p.Window() == board.Month { // it says who has pages of the month
		for shard := range s.redis.Shards() {
			if err := s.redis.IndexMonth(ctx, shard, name, p); err != nil {
				return err
			}
		}
	}
	for {
		sets, err := s.redis.ClosedTo(ctx, name, p)
		if err != nil {
			return err
		}
		writes := make([]*redisstore.Write, s.redis.Shards())
		for shard, set := range sets {
			if set.Reopening(name, p) {
				return fmt.Errorf("%w: %s", redisstore.ErrReopening, redisstore.PeriodName(name, p))
			}
			w := &redisstore.Write{}
			w.GuardClosed(shard, set)
			w.Unlink(redisstore.BoardKey(shard, name, p))
			w.SRem(redisstore.PeriodsKey(shard), redisstore.PeriodName(name, p))
			writes[shard] = w
		}
		s.redis.Apply(ctx, writes...)
		if done, err := redisstore.Applied("remove a board", writes...); done == len(writes) || err != nil {
			return err
		}
	}
}
