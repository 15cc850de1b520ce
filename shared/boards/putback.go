package boards

import (
	"context"
	_ "embed"
	"iter"
	"strconv"

	"laurel/shared/board"
	"laurel/shared/redisstore"
)

//go:embed put_back.lua
var putBackSource string

// PutBack puts the entries of a board into Redis, beside what is there of it, and
// lists its period: a thousand of a shard a round trip. Users who are hidden or
// excluded are left out, and counted. It may be done again. The period is closed,
// from the beginning to the end, else the error wraps redisstore.ErrNotClosed.
func (s *Store) PutBack(ctx context.Context, name string, p board.Period,
	entries iter.Seq2[board.Entry, error],
) (leftOut int64, err error) {
	chunks := make([][]any, s.redis.Shards()) // packed score, user, ...
	for e, err := range entries {
		if err != nil {
			return leftOut, err
		}
		shard := s.redis.ShardOf(e.User)
		chunks[shard] = append(chunks[shard], strconv.FormatInt(int64(e.Packed), 10), e.User)
		if len(chunks[shard]) == chunkLen {
			n, err := s.putChunk(ctx, shard, name, p, chunks[shard])
			if leftOut += n; err != nil {
				return leftOut, err
			}
			chunks[shard] = chunks[shard][:0]
		}
	}
	for shard, chunk := range chunks {
		if len(chunk) == 0 {
			continue
		}
		n, err := s.putChunk(ctx, shard, name, p, chunk)
		if leftOut += n; err != nil {
			return leftOut, err
		}
	}
	return leftOut, nil
}

func (s *Store) putChunk(ctx context.Context, shard int, name string, p board.Period, chunk []any) (leftOut int64,
	err error,
) {
	for {
		states, err := s.redis.ClosedTo(ctx, name, p)
		if err != nil {
			return 0, err
		}
		c := &redisstore.Call{
			Script: s.scripts.putBack,
			Keys: []string{
				redisstore.BoardKey(shard, name, p), redisstore.ClosedKey(shard), redisstore.PeriodsKey(shard),
				redisstore.SuppressedKey(shard),
			},
			Args: append([]any{states[shard].Version(), redisstore.PeriodName(name, p)}, chunk...),
		}
		s.redis.Run(ctx, c)
		reply, err := c.Cmd.Result()
		if err != nil {
			return 0, redisstore.Unavailable("put a board back", err)
		}
		if counts, done := reply.([]any); done && len(counts) == 1 {
			leftOut, _ = counts[0].(int64)
			return leftOut, nil
		}
	}
}
