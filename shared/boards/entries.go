package boards

import (
	"context"
	"iter"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
	"laurel/shared/redisstore"
)

// chunkLen is how many entries of a shard are read at once when a whole board is.
const chunkLen = 2_000

// Total counts the users on a board, of all shards.
func (s *Store) Total(ctx context.Context, name string, p board.Period) (int64, error) {
	counted := []redisstore.LivePeriod{{Board: name, Period: p}}
	err := s.count(ctx, counted)
	return counted[0].Total, err
}

// Entries goes over a whole board in its order, a chunk of a shard a round trip,
// and holds no more than a chunk a shard. It is one board when the period is
// closed; else somebody may move meanwhile and be met twice, or not. It ends with
// the first error.
func (s *Store) Entries(ctx context.Context, name string, p board.Period) iter.Seq2[board.Entry, error] {
	return func(yield func(board.Entry, error) bool) {
		parts := make([]*part, s.redis.Shards())
		for shard := range parts {
			parts[shard] = &part{key: redisstore.BoardKey(shard, name, p)}
		}
		for {
			if err := s.refill(ctx, parts); err != nil {
				yield(board.Entry{}, err)
				return
			}
			first := least(parts)
			if first == nil {
				return
			}
			e := first.chunk[0]
			first.chunk = first.chunk[1:]
			if !yield(e, nil) {
				return
			}
		}
	}
}

// part is a shard's part of a board being read.
type part struct {
	key   string
	chunk []board.Entry // read, and not yet gone over
	next  int64         // place of the next chunk
	done  bool
}

// refill reads on in the shards whose chunk is used up: the first time in all of
// them at once.
func (s *Store) refill(ctx context.Context, parts []*part) error {
	var used []*part
	for _, pt := range parts {
		if len(pt.chunk) == 0 && !pt.done {
			used = append(used, pt)
		}
	}
	if len(used) == 0 {
		return nil
	}
	pipe := s.redis.Client().Pipeline()
	chunks := make([]*redis.ZSliceCmd, len(used))
	for i, pt := range used {
		chunks[i] = pipe.ZRangeWithScores(ctx, pt.key, pt.next, pt.next+chunkLen-1)
	}
	if err := s.redis.ExecMarked(ctx, pipe, "read a whole board"); err != nil {
		return err
	}
	for i, pt := range used {
		pt.take(chunks[i].Val())
	}
	return nil
}

func (pt *part) take(chunk []redis.Z) {
	pt.next += int64(len(chunk))
	pt.done = len(chunk) < chunkLen
	pt.chunk = make([]board.Entry, len(chunk))
	for i, z := range chunk {
		user, _ := z.Member.(string)
		pt.chunk[i] = board.Entry{User: user, Packed: board.Packed(z.Score)}
	}
}

// least returns the part whose entry comes first, nil when all are used up.
func least(parts []*part) *part {
	var first *part
	for _, pt := range parts {
		if len(pt.chunk) > 0 && (first == nil || board.Compare(pt.chunk[0], first.chunk[0]) < 0) {
			first = pt
		}
	}
	return first
}
