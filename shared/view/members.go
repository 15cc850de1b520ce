package view

import (
	"cmp"
	"context"
	"iter"
	"slices"
	"strings"

	"github.com/redis/go-redis/v9"

	"laurel/shared/board"
	"laurel/shared/ledger"
)

// chunkLen is how many entries of a shard are read at once when a whole board is.
const chunkLen = 2_000

// Scores reads what the view has of users' places, 0 for none, in one trip. It reads slots that are
// being filled, too.
func (s *Store) Scores(ctx context.Context, users []string, places [][]ledger.Shown) (all [][]board.Packed, err error) {
	err = s.identity(ctx, func(is string) error {
		pipe := s.client.Pipeline()
		checks := map[int]check{}
		read := make([][]*redis.FloatCmd, len(users))
		for i, user := range users {
			shard := s.shardOf(user)
			if _, there := checks[shard]; !there {
				checks[shard] = s.checkIn(ctx, pipe, Slot(shard))
			}
			for _, p := range places[i] {
				read[i] = append(read[i], pipe.ZScore(ctx, s.boardKey(shard, p.Board, p.Period), user))
			}
		}
		if pipe.Len() > 0 {
			_, _ = pipe.Exec(ctx)
		}
		for _, c := range checks {
			if err := c.err(is, true); err != nil {
				return err
			}
		}
		all = make([][]board.Packed, len(users))
		for i, cmds := range read {
			if err := firstError(cmds...); err != nil {
				return unavailable("read scores", err)
			}
			all[i] = make([]board.Packed, len(cmds))
			for j, c := range cmds {
				all[i][j] = board.Packed(c.Val())
			}
		}
		return nil
	})
	return all, err
}

// Members goes over a whole live board in its order, a chunk of a shard a trip, all shards side by
// side; it reads slots that are being filled, too. Somebody who moves meanwhile may be met twice, or not. It ends
// with the first error.
func (s *Store) Members(ctx context.Context, name string, p board.Period) iter.Seq2[board.Entry, error] {
	return func(yield func(board.Entry, error) bool) {
		parts := make([]*chunked, s.options.Shards)
		for shard := range parts {
			parts[shard] = &chunked{shard: shard, key: s.boardKey(shard, name, p)}
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

// chunked is a shard's part of a board being read.
type chunked struct {
	shard int
	key   string
	chunk []board.Entry // read, and not yet gone over
	next  int64         // place of the next chunk
	done  bool
}

// refill reads on in the shards whose chunk is used up: the first time in all of them at once.
func (s *Store) refill(ctx context.Context, parts []*chunked) error {
	used := slices.DeleteFunc(slices.Clone(parts), func(c *chunked) bool { return len(c.chunk) > 0 || c.done })
	if len(used) == 0 {
		return nil
	}
	return s.identity(ctx, func(is string) error {
		pipe := s.client.Pipeline()
		checks, chunks := make([]check, len(used)), make([]*redis.ZSliceCmd, len(used))
		for i, c := range used {
			checks[i] = s.checkIn(ctx, pipe, Slot(c.shard))
			chunks[i] = pipe.ZRangeWithScores(ctx, c.key, c.next, c.next+chunkLen-1)
		}
		_, _ = pipe.Exec(ctx)
		for i, c := range used {
			if err := checks[i].err(is, true); err != nil {
				return err
			}
			if err := chunks[i].Err(); err != nil {
				return unavailable("read a whole board", err)
			}
			c.take(chunks[i].Val())
		}
		return nil
	})
}

func (c *chunked) take(chunk []redis.Z) {
	c.next += int64(len(chunk))
	c.done = len(chunk) < chunkLen
	c.chunk = make([]board.Entry, len(chunk))
	for i, z := range chunk {
		user, _ := z.Member.(string)
		c.chunk[i] = board.Entry{User: user, Packed: board.Packed(z.Score)}
	}
}

// least returns the part whose entry comes first, nil when all are used up.
func least(parts []*chunked) *chunked {
	var first *chunked
	for _, c := range parts {
		if len(c.chunk) > 0 && (first == nil || board.Compare(c.chunk[0], first.chunk[0]) < 0) {
			first = c
		}
	}
	return first
}

// Boards lists the boards that there are, by name, window and time. It takes two trips, a
// deliberate exception: who is on a board can be counted when the index has named it.
func (s *Store) Boards(ctx context.Context) ([]BoardPeriod, error) {
	return s.boards(ctx, func(string, board.Period) bool { return true })
}

// PeriodsOf lists those of one board's window that have anyone on them, the newest first, in two
// trips like Boards.
func (s *Store) PeriodsOf(ctx context.Context, name string, w board.Window) ([]BoardPeriod, error) {
	boards, err := s.boards(ctx, func(b string, p board.Period) bool { return b == name && p.Window() == w })
	slices.Reverse(boards)
	return slices.DeleteFunc(boards, func(b BoardPeriod) bool { return b.Total == 0 }), err
}

// boards lists the boards that are wanted, each with who is on it in all shards.
func (s *Store) boards(ctx context.Context, wanted func(string, board.Period) bool) (boards []BoardPeriod, err error) {
	err = s.identity(ctx, func(is string) error {
		indexes, err := s.indexes(ctx, s.slots()[:s.options.Shards])
		if err != nil {
			return err
		}
		boards = nil
		for _, field := range slices.Concat(indexes...) {
			if name, p, ok := parseBoardField(field); ok && wanted(name, p) {
				boards = append(boards, BoardPeriod{Board: name, Period: p})
			}
		}
		slices.SortFunc(boards, func(a, b BoardPeriod) int {
			return cmp.Or(strings.Compare(a.Board, b.Board), a.Period.Compare(b.Period))
		})
		boards = slices.Compact(boards)
		return s.count(ctx, is, boards)
	})
	return boards, err
}

// count fills the totals in.
func (s *Store) count(ctx context.Context, is string, boards []BoardPeriod) error {
	pipe := s.client.Pipeline()
	var checks []check
	counts := make([][]*redis.IntCmd, len(boards))
	for shard := range s.options.Shards {
		checks = append(checks, s.checkIn(ctx, pipe, Slot(shard)))
		for i, b := range boards {
			counts[i] = append(counts[i], pipe.ZCard(ctx, s.boardKey(shard, b.Board, b.Period)))
		}
	}
	_, _ = pipe.Exec(ctx)
	for _, c := range checks {
		if err := c.err(is, false); err != nil {
			return err
		}
	}
	for i, cmds := range counts {
		if err := firstError(cmds...); err != nil {
			return unavailable("count boards", err)
		}
		for _, c := range cmds {
			boards[i].Total += c.Val()
		}
	}
	return nil
}
