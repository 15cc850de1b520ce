package boards

import (
	"context"
	_ "embed"
	"fmt"

	"laurel/shared/board"
	"laurel/shared/redisstore"
)

//go:embed remove_board.lua
var removeBoardSource string

// RemoveBoard removes a closed board from Redis, from every shard. It may be done
// again. The error wraps redisstore.ErrNotClosed or redisstore.ErrRestoring when it must stay.
func (s *Store) RemoveBoard(ctx context.Context, name string, p board.Period) error {
	for {
		states, err := s.redis.ClosedTo(ctx, name, p)
		if err != nil {
			return err
		}
		calls := make([]*redisstore.Call, s.redis.Shards())
		for shard, state := range states {
			if state.Restoring(name, p) {
				return fmt.Errorf("%w: %s", redisstore.ErrRestoring, redisstore.PeriodName(name, p))
			}
			calls[shard] = &redisstore.Call{
				Script: s.scripts.removeBoard,
				Keys:   []string{redisstore.BoardKey(shard, name, p), redisstore.ClosedKey(shard), redisstore.PeriodsKey(shard)},
				Args:   []any{state.Version(), redisstore.PeriodName(name, p)},
			}
		}
		s.redis.Run(ctx, calls...)
		if done, err := redisstore.AllDone("remove a board", calls...); done || err != nil {
			return err
		}
	}
}
